"""The provisioning route as a platform would write it with FastAPI and httpx, under uvicorn.

It checks the key, reads the request, calls Increase over a pool of kept connections, and writes the same answer as the
gateway. It keeps nothing and looks into no certificate.
"""

import contextlib
import datetime
import os
import secrets

import httpx
from fastapi import FastAPI, Header, HTTPException, Response
from pydantic import BaseModel

KEY = f"Bearer {os.environ['KEY']}"
CARDS = {
    f"card_{number}": {
        "program": "bench", "connection": "increase_bench", "provider_card_id": f"sandbox_card_{number}",
        "cardholder_id": f"holder_{number}", "cardholder_name": "Bea Bench"}
    for number in range(int(os.environ["CARDS"]))}


class Cardholder(BaseModel):
    id: str


class ApplePay(BaseModel):
    certificates: list[str]
    nonce: str
    nonce_signature: str


class Order(BaseModel):
    wallet: str
    channel: str = "in_app"
    accept: list[str] = []
    cardholder: Cardholder
    apple_pay: ApplePay


class Handoff(BaseModel):
    type: str
    activation_data: str
    encrypted_pass_data: str
    ephemeral_public_key: str
    encryption_version: str


class Provisioning(BaseModel):
    object: str = "provisioning"
    id: str
    card: str
    program: str
    provider: str = "increase"
    connection: str
    wallet: str = "apple_pay"
    channel: str = "in_app"
    origin: str = "app"
    status: str = "handed_off"
    created_at: str
    expires_at: str | None = None
    handoff: Handoff
    repairs: list[str] = []
    warnings: list[str] = []


@contextlib.asynccontextmanager
async def lifespan(app):
    limits = httpx.Limits(max_connections=256, max_keepalive_connections=256, keepalive_expiry=60)
    async with httpx.AsyncClient(base_url=os.environ["UPSTREAM"], limits=limits, timeout=15) as client:
        app.state.increase = client
        yield


app = FastAPI(lifespan=lifespan)


@app.post("/v1/cards/{card}/provisionings", status_code=201)
async def provision(
        card: str, order: Order, response: Response, authorization: str = Header(default="")) -> Provisioning:
    if not secrets.compare_digest(authorization, KEY):
        raise HTTPException(401, "unauthenticated")
    known = CARDS.get(card)
    if known is None or order.cardholder.id != known["cardholder_id"]:
        raise HTTPException(404, "card_not_found")
    if order.wallet != "apple_pay" or len(order.apple_pay.certificates) != 2:
        raise HTTPException(400, "invalid_request")
    answer = await app.state.increase.post(
        f"/cards/{known['provider_card_id']}/push_provision",
        headers={"Authorization": "Bearer test_key", "Idempotency-Key": secrets.token_hex(12)},
        json={
            "channel": "apple_pay_in_app", "cardholder_name": known["cardholder_name"],
            "apple_pay_in_app": {
                "certificates": [{"certificate": text} for text in order.apple_pay.certificates],
                "nonce": order.apple_pay.nonce, "nonce_signature": order.apple_pay.nonce_signature}})
    answer.raise_for_status()
    response.headers["Cache-Control"] = "no-store"
    response.headers["Request-Id"] = f"req_{secrets.token_hex(12)}"
    now = datetime.datetime.now(datetime.timezone.utc)
    return Provisioning(
        id=f"prov_{secrets.token_hex(12)}", card=card, program=known["program"], connection=known["connection"],
        created_at=now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        handoff=Handoff(type="apple_pay_pass", **answer.json()["apple_pay_in_app"]))
