// The provisioning route as a platform would write it in Go, with net/http and encoding/json alone: it checks the key,
// reads the request, calls Increase over a pool of kept connections, and writes the same answer as the gateway. It keeps
// nothing and looks into no certificate.
package main

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

type card struct{ Program, Connection, ProviderCardID, CardholderID, CardholderName string }

type provisionRequest struct {
	Wallet     string   `json:"wallet"`
	Channel    string   `json:"channel"`
	Accept     []string `json:"accept"`
	Cardholder struct {
		ID string `json:"id"`
	} `json:"cardholder"`
	ApplePay *struct {
		Certificates   [][]byte `json:"certificates"`
		Nonce          []byte   `json:"nonce"`
		NonceSignature []byte   `json:"nonce_signature"`
	} `json:"apple_pay"`
}

type certificate struct {
	Certificate []byte `json:"certificate"`
}

type pushHandshake struct {
	Certificates   []certificate `json:"certificates"`
	Nonce          []byte        `json:"nonce"`
	NonceSignature []byte        `json:"nonce_signature"`
}

type pushRequest struct {
	Channel        string        `json:"channel"`
	CardholderName string        `json:"cardholder_name"`
	ApplePayInApp  pushHandshake `json:"apple_pay_in_app"`
}

type pushAnswer struct {
	ApplePayInApp *struct {
		ActivationData     string `json:"activation_data"`
		EncryptedPassData  string `json:"encrypted_pass_data"`
		EphemeralPublicKey string `json:"ephemeral_public_key"`
		EncryptionVersion  string `json:"encryption_version"`
	} `json:"apple_pay_in_app"`
}

type handoff struct {
	Type               string `json:"type"`
	ActivationData     string `json:"activation_data"`
	EncryptedPassData  string `json:"encrypted_pass_data"`
	EphemeralPublicKey string `json:"ephemeral_public_key"`
	EncryptionVersion  string `json:"encryption_version"`
}

type provisioning struct {
	Object     string   `json:"object"`
	ID         string   `json:"id"`
	Card       string   `json:"card"`
	Program    string   `json:"program"`
	Provider   string   `json:"provider"`
	Connection string   `json:"connection"`
	Wallet     string   `json:"wallet"`
	Channel    string   `json:"channel"`
	Origin     string   `json:"origin"`
	Status     string   `json:"status"`
	CreatedAt  string   `json:"created_at"`
	ExpiresAt  *string  `json:"expires_at"`
	Handoff    handoff  `json:"handoff"`
	Repairs    []string `json:"repairs"`
	Warnings   []string `json:"warnings"`
}

type problem struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
}

var (
	key      = []byte("Bearer " + os.Getenv("KEY"))
	upstream = os.Getenv("UPSTREAM")
	cards    = map[string]card{}
	client   = &http.Client{
		Timeout:   15 * time.Second,
		Transport: &http.Transport{MaxIdleConns: 256, MaxIdleConnsPerHost: 256, IdleConnTimeout: time.Minute},
	}
)

func newID() string {
	var bytes [12]byte
	if _, err := rand.Read(bytes[:]); err != nil {
		panic(err)
	}
	return hex.EncodeToString(bytes[:])
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(problem{status, code})
}

func push(card card, request *provisionRequest) (*pushAnswer, error) {
	handshake := pushHandshake{Nonce: request.ApplePay.Nonce, NonceSignature: request.ApplePay.NonceSignature}
	for _, der := range request.ApplePay.Certificates {
		handshake.Certificates = append(handshake.Certificates, certificate{der})
	}
	body, err := json.Marshal(pushRequest{"apple_pay_in_app", card.CardholderName, handshake})
	if err != nil {
		return nil, err
	}
	call, err := http.NewRequest("POST", upstream+"/cards/"+card.ProviderCardID+"/push_provision", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	call.Header.Set("Authorization", "Bearer test_key")
	call.Header.Set("Content-Type", "application/json")
	call.Header.Set("Idempotency-Key", newID())
	response, err := client.Do(call)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var answer pushAnswer
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, err
	}
	return &answer, nil
}

func provision(w http.ResponseWriter, r *http.Request) {
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), key) != 1 {
		refuse(w, 401, "unauthenticated")
		return
	}
	id := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/v1/cards/"), "/provisionings")
	if r.Method != "POST" || r.URL.Path != "/v1/cards/"+id+"/provisionings" {
		refuse(w, 404, "route_not_found")
		return
	}
	var request provisionRequest
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, 262144))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&request); err != nil {
		refuse(w, 400, "malformed_json")
		return
	}
	card, isKnown := cards[id]
	if !isKnown || request.Cardholder.ID != card.CardholderID {
		refuse(w, 404, "card_not_found")
		return
	}
	if request.Wallet != "apple_pay" || request.ApplePay == nil || len(request.ApplePay.Certificates) != 2 {
		refuse(w, 400, "invalid_request")
		return
	}
	answer, err := push(card, &request)
	if err != nil || answer.ApplePayInApp == nil {
		refuse(w, 502, "provider_contract_violation")
		return
	}
	pass := answer.ApplePayInApp
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Request-Id", "req_"+newID())
	w.WriteHeader(201)
	json.NewEncoder(w).Encode(provisioning{
		Object: "provisioning", ID: "prov_" + newID(), Card: id, Program: card.Program, Provider: "increase",
		Connection: card.Connection, Wallet: "apple_pay", Channel: "in_app", Origin: "app", Status: "handed_off",
		CreatedAt: time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
		Handoff: handoff{"apple_pay_pass", pass.ActivationData, pass.EncryptedPassData, pass.EphemeralPublicKey,
			pass.EncryptionVersion},
		Repairs: []string{}, Warnings: []string{},
	})
}

func main() {
	count, err := strconv.Atoi(os.Getenv("CARDS"))
	if err != nil {
		log.Fatal(err)
	}
	for number := 0; number < count; number++ {
		n := strconv.Itoa(number)
		cards["card_"+n] = card{"bench", "increase_bench", "sandbox_card_" + n, "holder_" + n, "Bea Bench"}
	}
	http.HandleFunc("/v1/cards/", provision)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
