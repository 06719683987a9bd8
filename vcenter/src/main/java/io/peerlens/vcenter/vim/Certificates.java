package io.peerlens.vcenter.vim;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.hc.client5.http.ssl.DefaultHostnameVerifier;

/** Certificates of vCenters: their fingerprints, and TLS that trusts what it was told to. */
public final class Certificates {

  private Certificates() {}

  /** SHA-256 of the whole certificate as 64 upper-case hexadecimal digits. */
  public static String sha256(X509Certificate certificate) {
    try {
      return HexFormat.of()
          .withUpperCase()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The chain that a server shows, its own certificate first. Nothing is sent to it: the connection
   * ends within the handshake.
   *
   * @param addresses tried in order
   * @throws IOException if there is no server, or it speaks no TLS
   */
  public static List<X509Certificate> shownBy(
      String host, int port, List<InetAddress> addresses, Duration timeout) throws IOException {
    Shown shown = new Shown();
    SSLContext context = context(shown);
    IOException failure = new IOException("no address");
    for (InetAddress address : addresses) {
      try (Socket plain = new Socket()) {
        plain.connect(new InetSocketAddress(address, port), (int) timeout.toMillis());
        plain.setSoTimeout((int) timeout.toMillis());
        try (SSLSocket tls =
            (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true)) {
          name(tls, host);
          tls.startHandshake();
        }
        throw new IOException("The server asked for no certificate check");
      } catch (SSLException e) {
        if (!shown.chain.isEmpty()) {
          return shown.chain;
        }
        failure = e;
      } catch (IOException e) {
        failure = e;
      }
    }
    throw failure;
  }

  private static void name(SSLSocket tls, String host) {
    if (!host.matches("[0-9.]+") && host.indexOf(':') < 0) {
      SSLParameters parameters = tls.getSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(host)));
      tls.setSSLParameters(parameters);
    }
  }

  /** Whether the authorities that Java trusts vouch for a chain, and it is for the host. */
  public static boolean isTrusted(String host, List<X509Certificate> chain) {
    try {
      for (TrustManager manager : authorities("")) {
        if (manager instanceof X509ExtendedTrustManager x509) {
          x509.checkServerTrusted(
              chain.toArray(X509Certificate[]::new),
              chain.getFirst().getPublicKey().getAlgorithm());
          new DefaultHostnameVerifier().verify(host, chain.getFirst());
          return true;
        }
      }
      return false;
    } catch (GeneralSecurityException | IOException e) {
      return false;
    }
  }

  /**
   * TLS that trusts what it is told to.
   *
   * @throws IOException if the authorities are no certificates
   */
  static SSLContext context(Trust trust) throws IOException {
    return switch (trust) {
      case Trust.Pinned pinned -> context(new PinnedManager(pinned));
      case Trust.Authorities(String pem) -> {
        try {
          SSLContext context = SSLContext.getInstance("TLS");
          context.init(null, authorities(pem), null);
          yield context;
        } catch (GeneralSecurityException e) {
          throw new IOException("The certificates of the authorities cannot be read", e);
        }
      }
    };
  }

  private static SSLContext context(X509ExtendedTrustManager manager) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {manager}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TrustManager[] authorities(String pem)
      throws GeneralSecurityException, IOException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore store = null;
    if (!pem.isBlank()) {
      store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (Certificate certificate :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))) {
        store.setCertificateEntry("authority-" + number++, certificate);
      }
      if (number == 0) {
        throw new CertificateException("no certificate in the PEM");
      }
    }
    factory.init(store);
    return factory.getTrustManagers();
  }

  /** Trusts one certificate. Being an extended manager, it alone decides, also about the name. */
  private static final class PinnedManager extends ServerManager {
    private final Trust.Pinned pinned;

    PinnedManager(Trust.Pinned pinned) {
      this.pinned = pinned;
    }

    @Override
    void check(X509Certificate[] chain) throws CertificateException {
      if (!pinned.accepts(chain[0])) {
        throw new CertificateException(
            "The certificate has the SHA-256 fingerprint "
                + sha256(chain[0])
                + ", not the confirmed one");
      }
    }
  }

  /** Trusts nobody, and remembers what was shown. */
  private static final class Shown extends ServerManager {
    private List<X509Certificate> chain = List.of();

    @Override
    void check(X509Certificate[] shown) throws CertificateException {
      chain = List.of(shown);
      throw new CertificateEncodingException("only looked at");
    }
  }

  private abstract static class ServerManager extends X509ExtendedTrustManager {

    abstract void check(X509Certificate[] chain) throws CertificateException;

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("no clients here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw new CertificateException("no clients here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw new CertificateException("no clients here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
