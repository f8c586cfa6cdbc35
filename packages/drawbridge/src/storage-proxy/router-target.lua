--- How a path becomes the address of a storage. Namespace and name are DNS labels, so what is put together can only be the
--- name of a storage's Service. Other paths were answered by the filter before this one.

function envoy_on_request(handle)
  local headers = handle:headers()
  local namespace, name = string.match(headers:get(":path"), "^/storage/([a-z0-9-]+)/([a-z0-9-]+)")
  headers:replace(":authority", name .. "-@SUFFIX@." .. namespace .. ".svc.cluster.local:@PORT@")
end
