-- As many clients behind one proxy as the first argument says, one after the other.
local requests = {}
local at = 0

function init(args)
  local clients = tonumber(args[1])
  for number = 0, clients - 1 do
    local address = string.format("%d.%d.%d.%d", 11 + number / 16777216, number / 65536 % 256, number / 256 % 256, number % 256)
    wrk.headers["X-Forwarded-For"] = address
    requests[number] = wrk.format()
  end
end

function request()
  local next = requests[at]
  at = (at + 1) % (#requests + 1)
  return next
end
