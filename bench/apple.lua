-- Posts Apple Pay provisionings, each with a nonce of its own.
-- Arguments: path, key, file with the two certificates, start of the nonces, and how many cards "{card}" in the path
-- stands for: card_0, card_1, and so on; each request is for one of them by chance.
local path, key, certificates, start, cards
local counter, thread = 0, 0
local threads = 0

function setup(worker)
  threads = threads + 1
  worker:set("thread_number", threads)
end

function init(arguments)
  path, key, start, cards = arguments[1], arguments[2], arguments[4], tonumber(arguments[5] or "0")
  local file = io.open(arguments[3])
  certificates = file:read("*a"):gsub("%s+$", "")
  file:close()
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  if key ~= "-" then wrk.headers["Authorization"] = "Bearer " .. key end
  math.randomseed(tonumber(start) * 10 + thread_number)
end

function request()
  counter = counter + 1
  -- Sixteen base64 digits are twelve bytes; the first two keep it from reading as hex.
  local nonce = string.format("Zz%s%01d%08d", start, thread_number, counter)
  local target, holder = path, "holder-1"
  if cards > 0 then
    local number = math.random(0, cards - 1)
    target, holder = (path:gsub("{card}", "card_" .. number)), "holder_" .. number
  end
  local body = '{"wallet":"apple_pay","channel":"in_app","accept":["apple_pay_pass"],"cardholder":{"id":"'
    .. holder .. '"},"apple_pay":{"certificates":' .. certificates .. ',"nonce":"' .. nonce
    .. '","nonce_signature":"MEUCIQDx0mYw3vQ8Jb1kq1mY2n0r7v9s5t3u1w8x6y4z2A0BAiB1c3d5e7f9g1h3i5j7k9l1m3n5o7p9q1r3s5t7u9v1wA=="}}'
  return wrk.format(nil, target, nil, body)
end


function done(summary, latency)
  io.write(string.format(
    "RESULT requests=%d micros=%d errors=%d p50=%d p90=%d p99=%d\n", summary.requests, summary.duration,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(50), latency:percentile(90), latency:percentile(99)))
end
