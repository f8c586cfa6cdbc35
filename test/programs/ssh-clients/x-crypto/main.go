// The same with golang.org/x/crypto/ssh.
package main

import (
	"fmt"
	"log"
	"os"
	"regexp"
	"strings"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

func main() {
	port, knownHosts, keyFile, there := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	check := must(knownhosts.New(knownHosts))
	signer := must(ssh.ParsePrivateKey(must(os.ReadFile(keyFile))))
	client := must(ssh.Dial("tcp", "127.0.0.1:"+port, &ssh.ClientConfig{
		User:            "jovyan",
		Auth:            []ssh.AuthMethod{ssh.PublicKeys(signer)},
		HostKeyCallback: check,
	}))
	run := must(must(client.NewSession()).Output("echo run"))
	fmt.Println(strings.TrimSpace(string(run)))
	shell := must(client.NewSession())
	var screen strings.Builder
	shell.Stdin, shell.Stdout = strings.NewReader("echo shell-$((1+1)); exit\n"), &screen
	must(0, shell.RequestPty("xterm", 24, 80, ssh.TerminalModes{}))
	must(0, shell.Shell())
	must(0, shell.Wait())
	fmt.Println(regexp.MustCompile("shell-2").FindString(screen.String()))
	files := must(sftp.NewClient(client))
	file := must(files.Create("listened"))
	must(file.Write([]byte("copied")))
	file.Close()
	copied := make([]byte, 6)
	must(must(files.Open("listened")).Read(copied))
	fmt.Println(string(copied))
	greeting := make([]byte, 4)
	must(must(client.Dial("tcp", "127.0.0.1:22")).Read(greeting))
	fmt.Println(string(greeting))
	listener := must(client.Listen("tcp", "127.0.0.1:"+there))
	go func() {
		connection := must(listener.Accept())
		must(connection.Write([]byte("back")))
		connection.Close()
	}()
	back := must(must(client.NewSession()).Output("bash -c 'cat </dev/tcp/127.0.0.1/" + there + "'"))
	fmt.Println(string(back))
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
