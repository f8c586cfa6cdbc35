-- Envoy runs them in LuaJIT and calls the two functions.
std = "luajit"
globals = { "envoy_on_request", "envoy_on_response" }
max_line_length = false
