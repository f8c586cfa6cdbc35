--- The filter between storages in a visitor's browser: see visitor-filter.ts.
local page = [==[
@PAGE@]==]

--- dufs' own parameters but for its page's view and edit, and its share links. No other one reaches a storage or its log.
local parameters = { ["q"] = true, ["json"] = true, ["simple"] = true, ["zip"] = true, ["noscript"] = true, ["sort"] = true, ["order"] = true }
--- Headers that describe a file, WebDAV, or the connection. The others could set something for all storages: cookies,
--- redirects with a body to send again, reports of addresses, alternative services, a worker's scope.
local kept = { [":status"] = true, ["accept-ranges"] = true, ["allow"] = true, ["cache-control"] = true, ["connection"] = true, ["content-disposition"] = true, ["content-encoding"] = true, ["content-length"] = true, ["content-range"] = true, ["content-type"] = true, ["date"] = true, ["dav"] = true, ["etag"] = true, ["last-modified"] = true, ["lock-token"] = true, ["ms-author-via"] = true, ["transfer-encoding"] = true, ["x-request-id"] = true }
local reading = { ["GET"] = true, ["HEAD"] = true, ["OPTIONS"] = true, ["PROPFIND"] = true }
local everywhere = {
  ["x-content-type-options"] = "nosniff",
  ["x-frame-options"] = "DENY",
  ["cross-origin-resource-policy"] = "same-origin",
  ["cross-origin-opener-policy"] = "same-origin",
  ["referrer-policy"] = "no-referrer",
}
local words = { ["401"] = "@LOGIN@", ["403"] = "@FORBIDDEN@", ["404"] = "@MISSING@", ["503"] = "@NOT_READY@" }
local alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

local function remember(handle, key, value)
  handle:streamInfo():dynamicMetadata():set("@METADATA@", key, value)
end

local function refuse(handle, status, body, headers)
  headers = headers or {}
  headers[":status"] = status
  headers["content-type"] = "text/plain; charset=utf-8"
  handle:respond(headers, body)
end

local function decoded(text)
  local bits, count, bytes = 0, 0, {}
  for letter in string.gmatch(text, "[A-Za-z0-9+/]") do
    bits = (bits * 64 + string.find(alphabet, letter, 1, true) - 1) % 65536
    count = count + 6
    if count >= 8 then
      count = count - 8
      bytes[#bytes + 1] = string.char(math.floor(bits / 2 ^ count) % 256)
    end
  end
  return table.concat(bytes)
end

function envoy_on_request(handle)
  local headers = handle:headers()
  for _, name in ipairs({ "x-drawbridge-user", "x-drawbridge-path", "x-drawbridge-to", "x-drawbridge-method", "x-drawbridge-token-user" }) do
    headers:remove(name)
  end
  local method = headers:get(":method")
  local path, query = string.match(headers:get(":path") or "", "^([^?#]*)%??(.*)$")
  local storage, rest = string.match(path, "^/storage/([a-z0-9-]+/[a-z0-9-]+)(.*)$")
  if storage == nil or (rest ~= "" and string.sub(rest, 1, 1) ~= "/") then
    return refuse(handle, "404", "@UNKNOWN@")
  end
  local realm = 'realm="' .. storage .. '"'
  remember(handle, "realm", realm)

  -- A page of another origin, or of none, changes nothing here, whatever login the browser adds.
  local origin, host = headers:get("origin"), headers:get(":authority") or ""
  local site = headers:get("sec-fetch-site")
  local foreign = (site ~= nil and site ~= "same-origin" and site ~= "none")
    or (origin ~= nil and string.lower(origin) ~= "http://" .. string.lower(host) and string.lower(origin) ~= "https://" .. string.lower(host))
  local navigates = headers:get("sec-fetch-mode") == "navigate" and headers:get("sec-fetch-dest") == "document"
  if headers:get("service-worker") ~= nil or (foreign and not (reading[method] and navigates)) then
    return refuse(handle, "403", "@FOREIGN@")
  end

  local credential = headers:get("authorization")
  if credential ~= nil then
    local login = string.match(credential, "^Basic ([A-Za-z0-9+/=]+)$")
    local user = login and string.match(decoded(login), "^([A-Za-z0-9._-]+):")
    if user ~= nil then
      headers:replace("x-drawbridge-user", user)
      remember(handle, "user", user)
    end
    if headers:getNumValues("authorization") > 1 or (user == nil and string.match(credential, "^Bearer [^ ]+$") == nil) then
      return refuse(handle, "401", "@LOGIN@", { ["www-authenticate"] = "Basic " .. realm })
    end
  end

  local clean = {}
  for part in string.gmatch(query, "[^&]+") do
    local key = string.match(part, "^[^=]*")
    if key == "token" or key == "tokengen" then return refuse(handle, "403", "@SHARE_LINK@") end
    if parameters[key] then clean[#clean + 1] = part end
  end
  local asked = #clean > 0 and "?" .. table.concat(clean, "&") or ""

  local person = method == "GET" and string.find(headers:get("accept") or "", "text/html", 1, true) ~= nil
  if person and rest == "" then
    -- Asked for a login here, a browser would give it to every storage of the namespace.
    remember(handle, "location", path .. "/" .. asked)
    return handle:respond({ [":status"] = "308" }, "")
  end
  if person and string.sub(rest, -1) == "/" and (asked == "" or string.match(asked, "^%?q=[^&]*$")) then
    -- The storage says whether it lets the visitor in; the page is the proxy's.
    headers:replace("x-drawbridge-method", method)
    headers:replace(":method", "HEAD")
    remember(handle, "page", string.match(host, "^[A-Za-z0-9.:-]+$") and host .. "/storage/" .. storage .. "/" or "'self'")
  end
  headers:replace(":path", path .. asked)
  headers:replace("x-drawbridge-path", path)
  local to = string.match(headers:get("destination") or "", "^[a-z]*:?/?/?[^/]*(/[^?#]*)")
  if to ~= nil then
    headers:replace("x-drawbridge-to", to)
    remember(handle, "to", to)
  end
end

-- Also for what the proxy answers by itself, the refusals above among it.
function envoy_on_response(handle)
  local told = handle:streamInfo():dynamicMetadata():get("@METADATA@") or {}
  local headers = handle:headers()
  -- First of all: whatever goes wrong below, the answer is in the sandbox.
  local policy = "@SANDBOX@"
  headers:replace("content-security-policy", policy)
  local status = headers:get(":status")
  local dropped, basic = {}, false
  for name, value in pairs(headers) do
    if not kept[name] and name ~= "content-security-policy" then dropped[#dropped + 1] = name end
    if name == "www-authenticate" and string.find(string.lower(value), "basic", 1, true) then basic = true end
  end
  for _, name in ipairs(dropped) do headers:remove(name) end

  -- One realm for each storage: a browser gives its login to no other one that asks for it.
  if status == "401" and told.realm then
    headers:replace("www-authenticate", (basic and "Basic " .. told.realm .. ', charset="UTF-8"') or "Bearer " .. told.realm)
  end

  local kind = string.lower(headers:get("content-type") or "")
  -- Parts with headers of their own would be pages without this wall's.
  if string.find(kind, "^multipart/") and not string.find(kind, "^multipart/byteranges; *boundary=[a-z0-9-]+$") then
    headers:replace("content-type", "application/octet-stream")
  end
  kind = string.match(kind, "^[a-z0-9/.+-]+$") or string.match(kind, "^([a-z0-9/.+-]+); *charset=[a-z0-9-]+$") or ""
  -- To a browser XML of whatever kind is a page.
  local plays = (string.match(kind, "^audio/[^/]+$") or string.match(kind, "^video/[^/]+$")) and not string.find(kind, "+xml", 1, true)
  if kind == "application/pdf" or plays then
    headers:replace("content-type", kind)
    policy = "@VIEWER@"
  end
  if told.page then
    if status ~= "200" and words[status] == nil then
      status = "502"
      headers:replace(":status", status)
    end
    for _, name in ipairs({ "accept-ranges", "content-disposition", "content-encoding", "content-range", "etag", "last-modified" }) do
      headers:remove(name)
    end
    headers:replace("cache-control", "no-store")
    if status == "200" then
      headers:replace("content-type", "text/html; charset=utf-8")
      policy = "@PAGE_POLICY@" .. told.page
    else
      headers:replace("content-type", "text/plain; charset=utf-8")
    end
  end
  headers:replace("content-security-policy", policy)
  for name, value in pairs(everywhere) do headers:replace(name, value) end
  if told.location then headers:replace("location", told.location) end
  if told.page then
    handle:body(true):setBytes(status == "200" and page or words[status] or status .. "\n")
  end
end
