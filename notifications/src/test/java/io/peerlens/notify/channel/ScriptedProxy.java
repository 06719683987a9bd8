package io.peerlens.notify.channel;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy for CONNECT and for SOCKS5 that leads everything to one receiver, and notes where to. */
final class ScriptedProxy implements AutoCloseable {

  private final ServerSocket server;
  private final int receiver;
  private final boolean refuses;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  /** A proxy in front of a port of this machine. */
  ScriptedProxy(int receiver, boolean refuses) {
    this.receiver = receiver;
    this.refuses = refuses;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** What was asked for: {@code CONNECT name:port}, {@code SOCKS 1 address:port}. */
  List<String> asked() {
    return asked;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        open.add(client);
        Thread.ofVirtual().start(() -> serve(client));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(Socket client) {
    try {
      DataInputStream in = new DataInputStream(client.getInputStream());
      int first = in.readUnsignedByte();
      if (first == 5 ? !socks(in, client.getOutputStream()) : !connect(first, in, client)) {
        client.close();
        return;
      }
      Socket behind = new Socket(InetAddress.getLoopbackAddress(), receiver);
      open.add(behind);
      Thread.ofVirtual().start(() -> copy(behind, client));
      copy(client, behind);
    } catch (IOException e) {
      // the test looks at what was asked and at what arrived
    }
  }

  private boolean connect(int first, InputStream in, Socket client) throws IOException {
    StringBuilder head = new StringBuilder().append((char) first);
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return false;
      }
      head.append((char) next);
    }
    asked.add(head.substring(0, head.indexOf(" HTTP/")));
    String answer = refuses ? "HTTP/1.1 403 Forbidden\r\n" : "HTTP/1.1 200 Connected\r\n";
    client
        .getOutputStream()
        .write((answer + "Content-Length: 0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    return !refuses;
  }

  private boolean socks(DataInputStream in, OutputStream out) throws IOException {
    in.skipNBytes(in.readUnsignedByte()); // methods
    out.write(new byte[] {5, 0});
    in.skipNBytes(3); // version, CONNECT, reserved
    int type = in.readUnsignedByte();
    byte[] address = new byte[type == 1 ? 4 : type == 4 ? 16 : in.readUnsignedByte()];
    in.readFully(address);
    String host =
        type == 3
            ? new String(address, StandardCharsets.US_ASCII)
            : InetAddress.getByAddress(address).getHostAddress();
    asked.add("SOCKS " + type + " " + host + ":" + in.readUnsignedShort());
    out.write(new byte[] {5, (byte) (refuses ? 2 : 0), 0, 1, 0, 0, 0, 0, 0, 0});
    return !refuses;
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // one of them has closed
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
