package io.peerlens.standalone;

import io.peerlens.vcenter.vim.Certificates;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.ProtocolHandler;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.springframework.boot.tomcat.TomcatProtocolHandlerCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Compression;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;

/**
 * A second address of the pages and the API, which speaks https, for programs that insist on it.
 * Certificate and key are in {@code https.pem} of the data directory: made at the first start,
 * unless somebody has put a file of his own there.
 */
final class Https implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {

  /** Whose certificates are made here, and made anew before they end. */
  private static final String MADE_HERE = "OU=made by Peerlens";

  /** Browsers refuse certificates of servers that are longer in force. */
  private static final int DAYS = 825;

  private static final Duration LAST_DAYS = Duration.ofDays(30);
  private static final String CERTIFICATE = "CERTIFICATE";

  private final HttpsAddress address;
  private final Path file;
  private final X509Certificate certificate;

  /**
   * Where it listens.
   *
   * @param host name or number of an address of this machine; 0.0.0.0 and :: are all
   */
  record HttpsAddress(String host, int port) {

    /** For a browser on this machine. */
    String url() {
      boolean here = host.equals("127.0.0.1") || isAll() || host.equals("::1");
      String name = here ? "localhost" : host.contains(":") ? "[" + host + "]" : host;
      return "https://" + name + ":" + port;
    }

    boolean isAll() {
      return host.equals("0.0.0.0") || host.equals("::");
    }

    @Override
    public String toString() {
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }

  private Https(HttpsAddress address, Path file, X509Certificate certificate) {
    this.address = address;
    this.file = file;
    this.certificate = certificate;
  }

  /**
   * Makes the certificate ready.
   *
   * @throws Refusal if the file that is there is of no use
   */
  static Https prepare(DataDirectory data, HttpsAddress address, Instant now)
      throws InterruptedException {
    Path file = data.httpsFile();
    X509Certificate certificate = Files.exists(file) ? read(file) : null;
    boolean made =
        certificate != null && certificate.getSubjectX500Principal().getName().contains(MADE_HERE);
    if (certificate == null
        || made && certificate.getNotAfter().toInstant().isBefore(now.plus(LAST_DAYS))) {
      data.writeSecret(file, make(data.root(), names(address)));
      certificate = read(file);
    }
    data.writeSecret(data.httpsCertificateFile(), pem(CERTIFICATE, encoded(certificate)));
    return new Https(address, file, certificate);
  }

  /** What to say of it when it answers. */
  List<String> lines(Instant now) {
    List<String> lines = new ArrayList<>();
    lines.add("It speaks https at " + address.url() + ", certificate SHA-256 " + fingerprint());
    Instant end = certificate.getNotAfter().toInstant();
    if (end.isBefore(now)) {
      lines.add(
          "The certificate in %s has ended at %s, so most programs refuse it. Replace it, or delete the file to have one made."
              .formatted(file, end));
    }
    return lines;
  }

  /** With colons between the bytes, as browsers and openssl show it. */
  private String fingerprint() {
    return Certificates.sha256(certificate).replaceAll("(..)(?!$)", "$1:");
  }

  /** After all others, whose settings of connectors are taken over. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  @Override
  public void customize(TomcatServletWebServerFactory factory) {
    Connector connector = new Connector(TomcatServletWebServerFactory.DEFAULT_PROTOCOL);
    factory.getConnectorCustomizers().forEach(one -> one.customize(connector));
    connector.setPort(address.port());
    connector.setProperty("address", address.host());
    connector.setScheme("https");
    connector.setSecure(true);
    AbstractHttp11Protocol<?> protocol = (AbstractHttp11Protocol<?>) connector.getProtocolHandler();
    factory.getProtocolHandlerCustomizers().forEach(one -> customize(one, protocol));
    Compression compression = factory.getCompression();
    if (compression != null && compression.getEnabled()) {
      protocol.setCompression("on");
      protocol.setCompressionMinSize((int) compression.getMinResponseSize().toBytes());
      protocol.setCompressibleMimeType(String.join(",", compression.getAllMimeTypes()));
    }
    protocol.setSSLEnabled(true);
    SSLHostConfig config = new SSLHostConfig();
    config.setProtocols("TLSv1.2,TLSv1.3");
    SSLHostConfigCertificate pair =
        new SSLHostConfigCertificate(config, SSLHostConfigCertificate.Type.UNDEFINED);
    pair.setCertificateFile(file.toString());
    pair.setCertificateKeyFile(file.toString());
    config.addCertificate(pair);
    connector.addSslHostConfig(config);
    factory.addAdditionalConnectors(connector);
  }

  /** Such as the one that has requests run on virtual threads; all of them take any handler. */
  @SuppressWarnings("unchecked")
  private static void customize(
      TomcatProtocolHandlerCustomizer<?> one, AbstractHttp11Protocol<?> protocol) {
    ((TomcatProtocolHandlerCustomizer<ProtocolHandler>) one).customize(protocol);
  }

  private static X509Certificate read(Path file) {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new Refusal("The certificate of https cannot be read: " + e);
    }
    int begin = text.indexOf("-----BEGIN " + CERTIFICATE);
    if (begin < 0 || !text.contains("PRIVATE KEY-----")) {
      throw new Refusal(
          file
              + " must hold a certificate and its private key in PEM, as \"cat certificate.pem key.pem\""
              + " writes them. Delete it to have both made.");
    }
    try {
      Collection<? extends Certificate> chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(
                      certificates(text.substring(begin)).getBytes(StandardCharsets.ISO_8859_1)));
      return (X509Certificate) chain.iterator().next();
    } catch (CertificateException e) {
      throw new Refusal(
          "The certificate in "
              + file
              + " cannot be read: "
              + e.getMessage()
              + ". Delete the file to have one made.");
    }
  }

  /** The certificates of a file, without its keys. */
  private static String certificates(String text) {
    StringBuilder certificates = new StringBuilder();
    String end = "-----END " + CERTIFICATE + "-----";
    int from = 0;
    while (true) {
      int begin = text.indexOf("-----BEGIN " + CERTIFICATE, from);
      int to = begin < 0 ? -1 : text.indexOf(end, begin);
      if (to < 0) {
        return certificates.toString();
      }
      from = to + end.length();
      certificates.append(text, begin, from).append('\n');
    }
  }

  /** Names that a certificate is for, as keytool takes them. */
  private static Set<String> names(HttpsAddress address) {
    Set<String> names = new LinkedHashSet<>(List.of("dns:localhost", "ip:127.0.0.1", "ip:::1"));
    try {
      InetAddress here = InetAddress.getLocalHost();
      add(names, here.getHostName());
      add(names, here.getCanonicalHostName());
    } catch (UnknownHostException e) {
      // It has no name that it knows.
    }
    if (!address.isAll()) {
      add(names, address.host());
    } else {
      try {
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(one -> !one.isLoopbackAddress() && !one.isLinkLocalAddress())
            .forEach(one -> add(names, one.getHostAddress()));
      } catch (SocketException e) {
        // Then it is for the names alone.
      }
    }
    return names;
  }

  private static void add(Set<String> names, String name) {
    if (name.contains(":") || name.matches("[0-9.]+")) {
      names.add("ip:" + name.replaceAll("%.*", ""));
    } else if (name.matches("[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9-]+)*")) {
      names.add("dns:" + name.toLowerCase(Locale.ROOT));
    }
  }

  /** A certificate and its key, made by the JDK's keytool. */
  private static String make(Path folder, Set<String> names) throws InterruptedException {
    byte[] random = new byte[24];
    new SecureRandom().nextBytes(random);
    String password = Base64.getUrlEncoder().encodeToString(random);
    Path store = folder.resolve("https.p12.tmp");
    try {
      Files.deleteIfExists(store);
      ProcessBuilder builder =
          new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
              "-genkeypair",
              "-alias",
              "https",
              "-keyalg",
              "EC",
              "-groupname",
              "secp256r1",
              "-dname",
              "CN=" + commonName(names) + ", " + MADE_HERE,
              "-validity",
              String.valueOf(DAYS),
              "-ext",
              "san=" + String.join(",", names),
              "-storetype",
              "PKCS12",
              "-keystore",
              store.toString(),
              "-storepass:env", // other users see arguments
              "PEERLENS_KEYTOOL");
      builder.environment().put("PEERLENS_KEYTOOL", password);
      Process process = builder.redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new Refusal("keytool could not make a certificate for https: " + output.strip());
      }
      KeyStore made = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(store)) {
        made.load(in, password.toCharArray());
      }
      Key key = Objects.requireNonNull(made.getKey("https", password.toCharArray()));
      return pem(CERTIFICATE, made.getCertificate("https").getEncoded())
          + pem("PRIVATE KEY", key.getEncoded());
    } catch (IOException | GeneralSecurityException e) {
      throw new Refusal(
          "No certificate for https could be made: "
              + e
              + ". Put one of your own with its key into "
              + folder.resolve("https.pem")
              + ".");
    } finally {
      try {
        Files.deleteIfExists(store);
      } catch (IOException e) {
        // It is of no use without its password.
      }
    }
  }

  /** The name of this machine where it has one. */
  private static String commonName(Set<String> names) {
    return names.stream()
        .filter(name -> name.startsWith("dns:") && !name.equals("dns:localhost"))
        .map(name -> name.substring(4))
        .filter(name -> name.length() <= 64)
        .findFirst()
        .orElse("localhost");
  }

  private static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(String what, byte[] der) {
    String lines =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
    return lines
        .lines()
        .collect(
            Collectors.joining(
                "\n", "-----BEGIN " + what + "-----\n", "\n-----END " + what + "-----\n"));
  }
}
