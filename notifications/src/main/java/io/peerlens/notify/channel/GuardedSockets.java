package io.peerlens.notify.channel;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Socket factories of one attempt. They connect to addresses that were checked, whatever the mail
 * library has looked up, and end together when time is up. TLS is put on top of them, so the name
 * in the server's certificate is checked all the same. Where TLS comes first it is put on here: the
 * mail library would make the connection below it by itself, past the guard.
 */
final class GuardedSockets implements AutoCloseable {

  private final SSLSocketFactory tls;
  private final boolean tlsFirst;
  private final AddressGuard.Destination destination;
  private final List<Socket> open = new ArrayList<>();
  private boolean closed;

  GuardedSockets(SSLSocketFactory tls, boolean tlsFirst, AddressGuard.Destination destination) {
    this.tls = tls;
    this.tlsFirst = tlsFirst;
    this.destination = destination;
  }

  /** Makes connections. */
  SocketFactory connecting() {
    return new Connecting();
  }

  /** Lets connections that began in clear change to TLS. */
  SSLSocketFactory changing() {
    return new Changing();
  }

  private synchronized Socket make() throws SocketException {
    if (closed) {
      throw new SocketException("The time is up");
    }
    Socket socket = new Guarded();
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

  /** Socket that keeps the port it is told, not the address. */
  private final class Guarded extends Socket {
    private @Nullable SSLSocket secure;

    @Override
    public void connect(SocketAddress endpoint) throws IOException {
      connect(endpoint, 0);
    }

    @Override
    public void connect(SocketAddress endpoint, int timeout) throws IOException {
      int port = ((InetSocketAddress) endpoint).getPort();
      super.connect(new InetSocketAddress(destination.addresses().getFirst(), port), timeout);
      if (tlsFirst) {
        SSLSocket over = (SSLSocket) tls.createSocket(this, destination.name(), port, true);
        SSLParameters parameters = over.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the rule for names, RFC 2818
        parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        over.setSSLParameters(parameters);
        over.startHandshake();
        secure = over;
      }
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return secure == null ? super.getInputStream() : secure.getInputStream();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return secure == null ? super.getOutputStream() : secure.getOutputStream();
    }
  }

  private final class Connecting extends SocketFactory {
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

  private final class Changing extends SSLSocketFactory {
    @Override
    public Socket createSocket() throws IOException {
      throw notAskedFor();
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
