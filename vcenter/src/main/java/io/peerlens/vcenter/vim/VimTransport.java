package io.peerlens.vcenter.vim;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.DefaultHostnameVerifier;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.NoopHostnameVerifier;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.ssl.SSLBufferMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * HTTP connections to one vCenter, over which calls and their answers go. The answers are read
 * while they come; nothing holds the whole of one. Follows no redirects. Thread-safe.
 */
final class VimTransport implements AutoCloseable {

  private static final int MAX_CONNECTIONS = 8;
  private static final int MAX_ERROR_BYTES = 4096;

  /** Bytes of one answer, unpacked; a page of 100 virtual machines has some 10 MB at most. */
  private static final long MAX_ANSWER_BYTES = 512L << 20;

  private static final XMLInputFactory XML = factory();

  private final HttpHost target;
  private final PoolingHttpClientConnectionManager connections;
  private final CloseableHttpClient client;
  private volatile @Nullable String cookie;

  /** Reader of the answer of a call, which stands at its outermost element. */
  @FunctionalInterface
  interface Answer<T extends @Nullable Object> {
    T read(XMLStreamReader xml) throws XMLStreamException;
  }

  /** Answer of the Automation API. */
  record RestAnswer(int status, byte[] body) {}

  VimTransport(VimAddress address, HostAddresses addresses, Trust trust) throws VimException {
    target = new HttpHost("https", address.host(), address.port());
    DefaultClientTlsStrategy tls;
    try {
      tls =
          new DefaultClientTlsStrategy(
              Certificates.context(trust),
              new String[] {"TLSv1.3", "TLSv1.2"},
              null,
              SSLBufferMode.STATIC,
              HostnameVerificationPolicy.CLIENT,
              trust instanceof Trust.Pinned
                  ? NoopHostnameVerifier.INSTANCE
                  : new DefaultHostnameVerifier());
    } catch (IOException e) {
      throw new VimException.Untrusted(String.valueOf(e.getMessage()), e);
    }
    connections =
        PoolingHttpClientConnectionManagerBuilder.create()
            .setDnsResolver(new Guarded(addresses, address.port()))
            .setMaxConnTotal(MAX_CONNECTIONS)
            .setMaxConnPerRoute(MAX_CONNECTIONS)
            .setDefaultSocketConfig(SocketConfig.custom().setTcpNoDelay(true).build())
            .setDefaultConnectionConfig(
                ConnectionConfig.custom()
                    .setConnectTimeout(Timeout.ofSeconds(10))
                    .setValidateAfterInactivity(TimeValue.ofSeconds(2))
                    .setTimeToLive(TimeValue.ofMinutes(30))
                    .build())
            .setTlsSocketStrategy(tls)
            .build();
    client =
        HttpClientBuilder.create()
            .setConnectionManager(connections)
            .setUserAgent("Peerlens")
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableAutomaticRetries()
            .build();
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    return factory;
  }

  /**
   * Makes a call and reads its answer.
   *
   * @param action value of the header SOAPAction, which names the version of the API
   * @param patience how long vCenter may say nothing
   */
  <T extends @Nullable Object> T call(
      String path, String action, byte[] envelope, Duration patience, Answer<T> answer)
      throws VimException {
    HttpUriRequestBase request = new HttpUriRequestBase("POST", URI.create(path));
    request.addHeader("SOAPAction", "\"" + action + "\"");
    addCookie(request);
    request.setEntity(new ByteArrayEntity(envelope, ContentType.TEXT_XML.withCharset("UTF-8")));
    return exchange(request, patience, response -> answered(response, answer));
  }

  private <T extends @Nullable Object> T answered(ClassicHttpResponse response, Answer<T> answer)
      throws IOException, VimException {
    keepCookie(response);
    HttpEntity entity = response.getEntity();
    int status = response.getCode();
    boolean isXml =
        entity != null
            && entity.getContentType() != null
            && entity.getContentType().toLowerCase(Locale.ROOT).contains("xml");
    if (entity == null || (status != 200 && !isXml)) {
      throw new VimException.Unavailable(
          "HTTP %d %s".formatted(status, response.getReasonPhrase()), null);
    }
    try (InputStream in = new Bounded(entity.getContent())) {
      XMLStreamReader xml = XML.createXMLStreamReader(in, "UTF-8");
      try {
        intoBody(xml);
        if (xml.getLocalName().equals("Fault")) {
          throw fault(XmlValue.read(xml));
        }
        return answer.read(xml);
      } finally {
        xml.close();
      }
    } catch (XMLStreamException e) {
      if (e.getNestedException() instanceof IOException io) {
        throw io;
      }
      throw new VimException.Unavailable(
          "The answer (HTTP %d) is no message of a vCenter: %s"
              .formatted(status, firstLine(e.getMessage())),
          e);
    }
  }

  private static void intoBody(XMLStreamReader xml) throws XMLStreamException {
    int depth = 0;
    while (xml.hasNext()) {
      int event = xml.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        String name = xml.getLocalName();
        if (depth == 2) {
          return;
        }
        if (depth == 0 && !name.equals("Envelope")) {
          throw new XMLStreamException("it begins with <" + name + ">");
        }
        if (depth == 1 && !name.equals("Body")) {
          skip(xml);
          continue;
        }
        depth++;
      }
    }
    throw new XMLStreamException("it has no body");
  }

  /** Moves to the end of the element that the reader stands at. */
  static void skip(XMLStreamReader xml) throws XMLStreamException {
    for (int depth = 1; depth > 0; ) {
      int event = xml.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        depth++;
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        depth--;
      }
    }
  }

  /**
   * Moves to the next child of the element whose content is being read.
   *
   * @return false when that element ends
   */
  static boolean nextChild(XMLStreamReader xml) throws XMLStreamException {
    while (true) {
      int event = xml.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        return true;
      }
      if (event == XMLStreamConstants.END_ELEMENT) {
        return false;
      }
    }
  }

  /** The type of a fault is that of its detail, {@code <NotAuthenticatedFault xsi:type=...>}. */
  private static VimException.Fault fault(XmlValue fault) {
    XmlValue detail = fault.at("detail");
    String type = "";
    String property = "";
    String object = "";
    if (detail != null && !detail.children().isEmpty()) {
      XmlValue inner = detail.children().getFirst();
      type = inner.type();
      if (type.isEmpty()) {
        type =
            inner.name().endsWith("Fault")
                ? inner.name().substring(0, inner.name().length() - "Fault".length())
                : inner.name();
      }
      property = inner.text("name");
      object = inner.text("obj");
    }
    return new VimException.Fault(type, firstLine(fault.text("faultstring")), property, object);
  }

  /** A request to the Automation API, with its whole answer. */
  RestAnswer rest(
      String method,
      String path,
      Map<String, String> headers,
      byte @Nullable [] body,
      Duration patience)
      throws VimException {
    HttpUriRequestBase request = new HttpUriRequestBase(method, URI.create(path));
    headers.forEach(request::addHeader);
    request.addHeader("Accept", "application/json");
    if (body != null) {
      request.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
    }
    return exchange(
        request,
        patience,
        response -> {
          HttpEntity entity = response.getEntity();
          if (entity == null) {
            return new RestAnswer(response.getCode(), new byte[0]);
          }
          try (InputStream in = new Bounded(entity.getContent())) {
            return new RestAnswer(response.getCode(), in.readAllBytes());
          }
        });
  }

  @FunctionalInterface
  private interface Reading<T extends @Nullable Object> {
    T read(ClassicHttpResponse response) throws IOException, VimException;
  }

  private <T extends @Nullable Object> T exchange(
      HttpUriRequestBase request, Duration patience, Reading<T> reading) throws VimException {
    request.setConfig(
        RequestConfig.custom()
            .setConnectionRequestTimeout(Timeout.ofSeconds(30))
            .setResponseTimeout(Timeout.of(patience))
            .setProtocolUpgradeEnabled(false)
            .build());
    try {
      ClassicHttpResponse response = client.executeOpen(target, request, null);
      try {
        return reading.read(response);
      } finally {
        try {
          response.close();
        } catch (IOException e) {
          // The connection is not used again then.
        }
      }
    } catch (HostAddresses.NotAllowedException e) {
      throw new VimException.Refused(String.valueOf(e.getMessage()));
    } catch (SSLException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof CertificateException) {
          throw new VimException.Untrusted(firstLine(cause.getMessage()), e);
        }
      }
      if (String.valueOf(e.getMessage()).startsWith("Certificate for <")) {
        throw new VimException.Untrusted(firstLine(e.getMessage()), e);
      }
      throw new VimException.Unavailable("TLS failed: " + firstLine(e.getMessage()), e);
    } catch (UnknownHostException e) {
      throw new VimException.Unavailable("The name " + target.getHostName() + " is not known", e);
    } catch (IOException e) {
      throw new VimException.Unavailable(
          e.getClass().getSimpleName() + ": " + firstLine(e.getMessage()), e);
    } catch (IllegalStateException e) { // the client was closed meanwhile
      throw new VimException.Unavailable("The connection was closed", e);
    }
  }

  private void addCookie(HttpUriRequestBase request) {
    String session = cookie;
    if (session != null) {
      request.addHeader("Cookie", session);
    }
  }

  private void keepCookie(ClassicHttpResponse response) {
    for (Header header : response.getHeaders("Set-Cookie")) {
      String value = header.getValue();
      if (value != null && value.startsWith("vmware_soap_session=")) {
        int end = value.indexOf(';');
        cookie = end < 0 ? value : value.substring(0, end);
      }
    }
  }

  static String firstLine(@Nullable String text) {
    String line = text == null ? "" : text.lines().findFirst().orElse("");
    return line.length() <= 300 ? line : line.substring(0, 300) + "...";
  }

  /** Text of an answer for people, cut. */
  static String shown(byte[] body) {
    return firstLine(
        new String(body, 0, Math.min(body.length, MAX_ERROR_BYTES), StandardCharsets.UTF_8));
  }

  /** Ends all connections, also those on which an answer is being waited for. */
  @Override
  public void close() {
    client.close(CloseMode.IMMEDIATE);
    connections.close(CloseMode.IMMEDIATE);
  }

  /** The guard in the place of the resolver: connections go to the addresses that it checked. */
  private record Guarded(HostAddresses addresses, int port) implements DnsResolver {
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
      return addresses.of(host, port).toArray(InetAddress[]::new);
    }

    @Override
    public String resolveCanonicalHostname(String host) {
      return host;
    }
  }

  private static final class Bounded extends FilterInputStream {
    private long left = MAX_ANSWER_BYTES;

    Bounded(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      use(read < 0 ? 0 : 1);
      return read;
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
      int read = super.read(buffer, from, length);
      use(Math.max(read, 0));
      return read;
    }

    private void use(int bytes) throws IOException {
      left -= bytes;
      if (left < 0) {
        throw new IOException("The answer is longer than " + MAX_ANSWER_BYTES + " bytes");
      }
    }
  }
}
