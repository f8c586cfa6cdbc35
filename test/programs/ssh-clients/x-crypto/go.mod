module drawbridge.dev/listen-client

go 1.25

require (
	github.com/pkg/sftp v1.13.10
	golang.org/x/crypto v0.54.0
)
