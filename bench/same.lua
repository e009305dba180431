-- Sends one request over and over. Arguments: method, path, key, body ("-" for none), and how many cards "{card}" in the
-- path and "{holder}" in the body stand for: d1_0 and holder_0, and so on; each request is for one of them by chance.
function init(arguments)
  local method, path, key, body, cards = unpack(arguments)
  cards = tonumber(cards)
  local headers = {}
  if key ~= "-" then headers["Authorization"] = "Bearer " .. key end
  if body == "-" then body = nil else headers["Content-Type"] = "application/json" end
  if cards == 0 then
    local text = wrk.format(method, path, headers, body)
    request = function() return text end
    return
  end
  local before, after = body:match("^(.*){holder}(.*)$")
  request = function()
    local number = math.random(0, cards - 1)
    return wrk.format(method, (path:gsub("{card}", "d1_" .. number)), headers, before .. "holder_" .. number .. after)
  end
end

function done(summary, latency)
  io.write(string.format(
    "RESULT requests=%d micros=%d errors=%d p50=%d p90=%d p99=%d\n", summary.requests, summary.duration,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(50), latency:percentile(90), latency:percentile(99)))
end
