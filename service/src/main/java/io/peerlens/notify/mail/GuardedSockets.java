package io.peerlens.notify.mail;

import io.peerlens.notify.egress.AddressGuard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;

/**
 * Makes the sockets of one attempt. They connect to addresses that were checked, whatever the mail
 * library has looked up, and end together when time is up. TLS is put on top of them, so the name in
 * the server's certificate is checked all the same.
 */
final class GuardedSockets implements AutoCloseable {

  private final SSLSocketFactory tls;
  private final AddressGuard.Destination destination;
  private final List<Socket> open = new ArrayList<>();
  private boolean closed;

  GuardedSockets(SSLSocketFactory tls, AddressGuard.Destination destination) {
    this.tls = tls;
    this.destination = destination;
  }

  /** For connections that begin in clear. */
  SocketFactory plain() {
    return new Plain();
  }

  /** For connections that begin with TLS, and for those that change to it. */
  SSLSocketFactory secure() {
    return new Secure();
  }

  private synchronized Socket make() throws SocketException {
    if (closed) {
      throw new SocketException("The time is up");
    }
    Socket socket = new Guarded(destination.addresses().getFirst());
    open.add(socket);
    return socket;
  }

  @Override
  public synchronized void close() {
    closed = true;
    for (Socket socket : open) {
      try {
        socket.close();
      } catch (IOException e) {
        // It is of no use any more, open or not.
      }
    }
  }

  private static SocketException notAskedFor() {
    return new SocketException("Only sockets that are connected later are made here");
  }

  /** Keeps the port it is told, not the address. */
  private static final class Guarded extends Socket {
    private final InetAddress address;

    Guarded(InetAddress address) {
      this.address = address;
    }

    @Override
    public void connect(SocketAddress endpoint) throws IOException {
      connect(endpoint, 0);
    }

    @Override
    public void connect(SocketAddress endpoint, int timeout) throws IOException {
      super.connect(
          new InetSocketAddress(address, ((InetSocketAddress) endpoint).getPort()), timeout);
    }
  }

  private final class Plain extends SocketFactory {
    @Override
    public Socket createSocket() throws IOException {
      return make();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      throw notAskedFor();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort)
        throws IOException {
      throw notAskedFor();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
      throw notAskedFor();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
        throws IOException {
      throw notAskedFor();
    }
  }

  private final class Secure extends SSLSocketFactory {
    /** A plain one: the mail library puts TLS on it once it is connected. */
    @Override
    public Socket createSocket() throws IOException {
      return make();
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose)
        throws IOException {
      return tls.createSocket(socket, host, port, autoClose);
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      throw notAskedFor();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort)
        throws IOException {
      throw notAskedFor();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
      throw notAskedFor();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
        throws IOException {
      throw notAskedFor();
    }

    @Override
    public String[] getDefaultCipherSuites() {
      return tls.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return tls.getSupportedCipherSuites();
    }
  }
}
