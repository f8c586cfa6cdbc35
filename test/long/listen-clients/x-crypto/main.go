// The same with golang.org/x/crypto/ssh.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

func main() {
	port, knownHosts, keyFile, target := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	check := must(knownhosts.New(knownHosts))
	signer := must(ssh.ParsePrivateKey(must(os.ReadFile(keyFile))))
	client := must(ssh.Dial("tcp", "127.0.0.1:"+port, &ssh.ClientConfig{
		User:            "root",
		Auth:            []ssh.AuthMethod{ssh.PublicKeys(signer)},
		HostKeyCallback: check,
	}))
	run := must(must(client.NewSession()).Output("echo run"))
	fmt.Println(strings.TrimSpace(string(run)))
	files := must(sftp.NewClient(client))
	file := must(files.Create(keyFile + ".sftp"))
	must(file.Write([]byte("copied")))
	file.Close()
	copied := make([]byte, 6)
	must(must(files.Open(keyFile + ".sftp")).Read(copied))
	fmt.Println(string(copied))
	greeting := make([]byte, 4)
	must(must(client.Dial("tcp", "127.0.0.1:"+target)).Read(greeting))
	fmt.Println(string(greeting))
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
