// The same with JSch.
import com.jcraft.jsch.ChannelExec;
import com.jcraft.jsch.ChannelSftp;
import com.jcraft.jsch.ChannelShell;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.Session;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.FutureTask;

class JschClient {
    static String run(Session session, String command) throws Exception {
        var channel = (ChannelExec) session.openChannel("exec");
        channel.setCommand(command);
        var output = channel.getInputStream();
        channel.connect();
        return new String(output.readAllBytes()).strip();
    }

    static String shell(Session session) throws Exception {
        var channel = (ChannelShell) session.openChannel("shell");
        channel.setInputStream(new ByteArrayInputStream("echo shell-$((1+1)); exit\n".getBytes()));
        var output = channel.getInputStream();
        channel.connect();
        return new String(output.readAllBytes()).contains("shell-2") ? "shell-2" : "no shell";
    }

    static String copied(Session session) throws Exception {
        var sftp = (ChannelSftp) session.openChannel("sftp");
        sftp.connect();
        sftp.put(new ByteArrayInputStream("copied".getBytes()), "listened");
        try (InputStream file = sftp.get("listened")) {
            return new String(file.readAllBytes());
        }
    }

    static String forwarded(Session session) throws Exception {
        try (var socket = new Socket("127.0.0.1", session.setPortForwardingL(0, "127.0.0.1", 22))) {
            return new String(socket.getInputStream().readNBytes(4));
        }
    }

    static String back(Session session, int there) throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // JSch interrupts the thread that asked, sometimes only after it has gone on: it is one of its own.
            var asked = new FutureTask<Void>(() -> {
                session.setPortForwardingR("127.0.0.1", there, "127.0.0.1", server.getLocalPort());
                return null;
            });
            new Thread(asked).start();
            asked.get();
            new Thread(() -> {
                try (var socket = server.accept()) {
                    socket.getOutputStream().write("back".getBytes());
                } catch (Exception error) {
                    throw new RuntimeException(error);
                }
            }).start();
            return run(session, "bash -c 'cat </dev/tcp/127.0.0.1/" + there + "'");
        }
    }

    public static void main(String[] args) throws Exception {
        var jsch = new JSch();
        jsch.setKnownHosts(args[1]);
        jsch.addIdentity(args[2]);
        var session = jsch.getSession("jovyan", "127.0.0.1", Integer.parseInt(args[0]));
        session.setConfig("StrictHostKeyChecking", "yes");
        session.connect();
        System.out.println(run(session, "echo run"));
        System.out.println(shell(session));
        System.out.println(copied(session));
        System.out.println(forwarded(session));
        System.out.println(back(session, Integer.parseInt(args[3])));
        session.disconnect();
    }
}
