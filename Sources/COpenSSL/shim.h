#ifndef PASSGATE_COPENSSL_SHIM_H
#define PASSGATE_COPENSSL_SHIM_H

#include <string.h>

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/// Macros and lists of parameters that Swift cannot make. Each answers 1 or a pointer, or else 0 or NULL.

static inline void passgate_openssl_free(void *memory) { OPENSSL_free(memory); }

static inline int passgate_hmac_sha256_init(EVP_MAC_CTX *context, const unsigned char *key, size_t count) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0), OSSL_PARAM_construct_end()};
    return EVP_MAC_init(context, key, count, parameters);
}

static inline int passgate_hkdf_sha256(
    EVP_KDF *kdf, const unsigned char *secret, size_t secret_count, const unsigned char *salt, size_t salt_count,
    const unsigned char *info, size_t info_count, unsigned char *output, size_t output_count) {
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
    if (context == NULL) return 0;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count), OSSL_PARAM_construct_end()};
    int result = EVP_KDF_derive(context, output, output_count, parameters);
    EVP_KDF_CTX_free(context);
    return result > 0;
}

/// X9.63 or one-step (Concat) key derivation with SHA-256.
static inline int passgate_shared_info_kdf(
    EVP_KDF *kdf, const unsigned char *secret, size_t secret_count, const unsigned char *info, size_t info_count,
    unsigned char *output, size_t output_count) {
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
    if (context == NULL) return 0;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_count),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count), OSSL_PARAM_construct_end()};
    int result = EVP_KDF_derive(context, output, output_count, parameters);
    EVP_KDF_CTX_free(context);
    return result > 0;
}

static inline EVP_PKEY *passgate_p256_generate(void) { return EVP_EC_gen("P-256"); }

static inline EVP_PKEY *passgate_rsa_generate(size_t bits) { return EVP_RSA_gen(bits); }

/// A public key of an encoded point on P-256; NULL where the point is not on the curve.
static inline EVP_PKEY *passgate_p256_public(const unsigned char *point, size_t count) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    EVP_PKEY *key = NULL;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"P-256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, count), OSSL_PARAM_construct_end()};
    if (context != NULL && EVP_PKEY_fromdata_init(context) > 0) {
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

/// A public RSA key of its modulus and exponent, both big endian.
static inline EVP_PKEY *passgate_rsa_public(
    const unsigned char *modulus, size_t modulus_count, const unsigned char *exponent, size_t exponent_count) {
    BIGNUM *n = BN_bin2bn(modulus, (int)modulus_count, NULL);
    BIGNUM *e = BN_bin2bn(exponent, (int)exponent_count, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *parameters = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    EVP_PKEY *key = NULL;
    if (n != NULL && e != NULL && builder != NULL && context != NULL
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) > 0
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) > 0) {
        parameters = OSSL_PARAM_BLD_to_param(builder);
        if (parameters != NULL && EVP_PKEY_fromdata_init(context) > 0) {
            EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
        }
    }
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(context);
    BN_free(n);
    BN_free(e);
    return key;
}

/// RSA-OAEP with SHA-256 for the hash and for MGF1.
static inline int passgate_use_oaep_sha256(EVP_PKEY_CTX *context) {
    return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) > 0
        && EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) > 0
        && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) > 0;
}

static inline long passgate_bio_contents(BIO *bio, char **contents) { return BIO_get_mem_data(bio, contents); }

/// Adds an extension in OpenSSL's configuration syntax to a certificate.
static inline int passgate_add_extension(X509 *certificate, X509 *issuer, int nid, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    if (extension == NULL) return 0;
    int result = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return result;
}

static inline int passgate_recipient_count(CMS_ContentInfo *cms) {
    STACK_OF(CMS_RecipientInfo) *recipients = CMS_get0_RecipientInfos(cms);
    return recipients == NULL ? 0 : sk_CMS_RecipientInfo_num(recipients);
}

static inline CMS_RecipientInfo *passgate_recipient(CMS_ContentInfo *cms) {
    return sk_CMS_RecipientInfo_value(CMS_get0_RecipientInfos(cms), 0);
}

#endif
