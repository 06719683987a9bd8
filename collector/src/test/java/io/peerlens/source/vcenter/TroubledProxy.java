package io.peerlens.source.vcenter;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A way to a vCenter that can be cut, held up and closed; TLS passes through it. */
final class TroubledProxy implements AutoCloseable {

  /** What happens to bytes. */
  enum Mode {
    /** They pass. */
    PASS,
    /** They are taken and go nowhere, of connections old and new. */
    HANG,
    /** New connections are reset at once. */
    RESET
  }

  private final ServerSocket server;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile Mode mode = Mode.PASS;

  TroubledProxy(int target) {
    this.target = target;
    try {
      this.server = new ServerSocket();
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  void mode(Mode now) {
    mode = now;
  }

  /** Resets all connections that there are. */
  void cut() {
    open.forEach(TroubledProxy::reset);
    open.clear();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        if (mode == Mode.RESET) {
          reset(client);
          continue;
        }
        Socket vcenter = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(client);
        open.add(vcenter);
        Thread.ofVirtual().start(() -> copy(client, vcenter));
        Thread.ofVirtual().start(() -> copy(vcenter, client));
      } catch (IOException e) {
        // The target is away, or this ends.
      }
    }
  }

  private void copy(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] bytes = new byte[8192];
      int read = in.read(bytes);
      while (read >= 0) {
        if (mode != Mode.HANG) {
          out.write(bytes, 0, read);
        }
        read = in.read(bytes);
      }
    } catch (IOException e) {
      // Cut.
    } finally {
      reset(from);
      reset(to);
      open.remove(from);
      open.remove(to);
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }
}
