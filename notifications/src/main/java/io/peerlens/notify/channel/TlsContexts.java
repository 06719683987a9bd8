package io.peerlens.notify.channel;

import io.peerlens.notify.channel.WebhookSettings.Tls;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.pem.PemContent;

/** TLS contexts, made of what a target says about trust and of its client certificate. */
public final class TlsContexts {

  private static final char[] NO_PASSWORD = new char[0];

  private TlsContexts() {}

  /** Error in PEM texts; the message holds nothing of them. */
  public static final class TlsException extends IOException {
    TlsException(String message) {
      super(message);
    }
  }

  /**
   * A context.
   *
   * @param clientPem private key and certificates as PEM; null = no client certificate
   * @throws TlsException if a PEM text makes no sense
   */
  public static SSLContext context(Tls tls, @Nullable String clientPem) throws TlsException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(clientPem == null ? null : keys(clientPem), trust(tls), null);
      return context;
    } catch (TlsException e) {
      throw e;
    } catch (GeneralSecurityException | IOException e) {
      throw new TlsException("TLS cannot be set up: " + e.getClass().getSimpleName());
    }
  }

  private static KeyManager[] keys(String pem) throws GeneralSecurityException, IOException {
    PrivateKey key;
    List<X509Certificate> chain;
    try {
      PemContent content = PemContent.of(pem);
      key = content.getPrivateKey();
      chain = content.getCertificates();
    } catch (RuntimeException e) {
      throw new TlsException(
          "The secret of keyStore holds no PEM with an unencrypted key and certificates");
    }
    if (key == null || chain.isEmpty()) {
      throw new TlsException(
          "The secret of keyStore must hold both a private key and certificates as PEM");
    }
    KeyStore store = emptyStore();
    store.setKeyEntry("client", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static TrustManager @Nullable [] trust(Tls tls)
      throws GeneralSecurityException, IOException {
    X509ExtendedTrustManager chain = tls.caBundle() == null ? null : bundle(tls.caBundle());
    if (!tls.pins().isEmpty()) {
      return new TrustManager[] {new PinTrust(tls.pins(), chain)};
    }
    return chain == null ? null : new TrustManager[] {chain}; // null = the JDK's
  }

  private static X509ExtendedTrustManager bundle(String pem)
      throws GeneralSecurityException, IOException {
    List<X509Certificate> certificates;
    try {
      certificates = PemContent.of(pem).getCertificates();
    } catch (RuntimeException e) {
      throw new TlsException("caBundle holds no certificates as PEM");
    }
    KeyStore store = emptyStore();
    for (int i = 0; i < certificates.size(); i++) {
      store.setCertificateEntry("ca" + i, certificates.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  /** Trusts a certificate for its SHA-256, and for its chain too when there is a bundle. */
  private static final class PinTrust extends X509ExtendedTrustManager {
    private final List<String> pins;
    private final @Nullable X509ExtendedTrustManager chain;

    PinTrust(List<String> pins, @Nullable X509ExtendedTrustManager chain) {
      this.pins = pins;
      this.chain = chain;
    }

    private void checkPin(X509Certificate[] certificates) throws CertificateException {
      String found;
      try {
        found =
            HexFormat.of()
                .formatHex(
                    MessageDigest.getInstance("SHA-256").digest(certificates[0].getEncoded()));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("Every JDK has SHA-256", e);
      }
      if (!pins.contains(found)) {
        throw new CertificateException(
            "the receiver's certificate has the SHA-256 " + found + ", which is not pinned");
      }
      certificates[0].checkValidity();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] certificates, String auth, Socket socket)
        throws CertificateException {
      checkPin(certificates);
      if (chain != null) {
        chain.checkServerTrusted(certificates, auth, socket);
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] certificates, String auth, SSLEngine engine)
        throws CertificateException {
      checkPin(certificates);
      if (chain != null) {
        chain.checkServerTrusted(certificates, auth, engine);
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] certificates, String auth)
        throws CertificateException {
      checkPin(certificates);
      if (chain != null) {
        chain.checkServerTrusted(certificates, auth);
      }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] certificates, String auth, Socket socket)
        throws CertificateException {
      throw new CertificateException("no server here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] certificates, String auth, SSLEngine engine)
        throws CertificateException {
      throw new CertificateException("no server here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] certificates, String auth)
        throws CertificateException {
      throw new CertificateException("no server here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return chain == null ? new X509Certificate[0] : chain.getAcceptedIssuers();
    }
  }
}
