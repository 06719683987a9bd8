package io.peerlens.notify.channel;

import io.peerlens.notify.secret.SecretException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
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
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.ssl.SSLBufferMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * HTTP client of one target: its own connections, its own idea of whom to trust. Follows no
 * redirects, keeps no cookies, tries nothing twice.
 */
final class WebhookClient implements AutoCloseable {

  /** Bytes of an answer that are read; what templates capture is within. */
  static final int MAX_ANSWER = 256 * 1024;

  private static final int MAX_HEADERS = 100;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final PoolingHttpClientConnectionManager connections;
  private final CloseableHttpClient client;

  /**
   * Response of the receiver.
   *
   * @param truncated whether there was more, or the connection broke within the body
   */
  record Response(
      int status, String reason, List<HeaderLine> headers, String body, boolean truncated) {}

  /**
   * A client.
   *
   * @param inClear for http instead of https
   * @param clientPem key and certificates of ours; null = none
   * @param proxyCredentials {@code user:password}; null = none
   * @throws IOException if TLS cannot be set up or the proxy cannot be used
   */
  WebhookClient(
      WebhookSettings settings,
      boolean inClear,
      int maxConnections,
      @Nullable String clientPem,
      @Nullable String proxyCredentials,
      AddressGuard guard)
      throws IOException {
    WebhookSettings.Tls tls = settings.tls();
    SocketConfig.Builder sockets =
        SocketConfig.custom().setSoTimeout(timeout(settings.timeout())).setTcpNoDelay(true);
    WebhookSettings.Proxy proxy = settings.proxy();
    if (proxy != null && proxy.socks()) {
      sockets.setSocksProxyAddress(
          new InetSocketAddress(
              GuardedDns.check(guard, proxy.host(), proxy.port(), inClear).getFirst(),
              proxy.port()));
    }
    Duration connect =
        settings.timeout().compareTo(CONNECT_TIMEOUT) < 0 ? settings.timeout() : CONNECT_TIMEOUT;
    connections =
        PoolingHttpClientConnectionManagerBuilder.create()
            .setDnsResolver(new GuardedDns(guard, inClear))
            .setMaxConnTotal(maxConnections)
            .setMaxConnPerRoute(maxConnections)
            .setDefaultSocketConfig(sockets.build())
            .setDefaultConnectionConfig(
                ConnectionConfig.custom()
                    .setConnectTimeout(timeout(connect))
                    .setSocketTimeout(timeout(settings.timeout()))
                    .setValidateAfterInactivity(TimeValue.ofSeconds(1))
                    .setIdleTimeout(Timeout.ofSeconds(30))
                    .setTimeToLive(TimeValue.ofMinutes(5))
                    .build())
            .setConnectionFactory(
                ManagedHttpClientConnectionFactory.builder()
                    .charCodingConfig(
                        CharCodingConfig.custom().setCharset(StandardCharsets.UTF_8).build())
                    .build())
            .setTlsSocketStrategy(
                new DefaultClientTlsStrategy(
                    TlsContexts.context(tls, clientPem),
                    new String[] {"TLSv1.3", "TLSv1.2"},
                    null,
                    SSLBufferMode.STATIC,
                    HostnameVerificationPolicy.CLIENT,
                    tls.verifyHost()
                        ? new DefaultHostnameVerifier()
                        : NoopHostnameVerifier.INSTANCE))
            .build();
    HttpClientBuilder builder =
        HttpClientBuilder.create()
            .setConnectionManager(connections)
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setConnectionRequestTimeout(timeout(settings.timeout()))
                    .setResponseTimeout(timeout(settings.timeout()))
                    .setProtocolUpgradeEnabled(false)
                    .build())
            .setUserAgent("Peerlens")
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableAutomaticRetries()
            .disableContentCompression();
    if (proxy != null && !proxy.socks()) {
      HttpHost host = new HttpHost("http", proxy.host(), proxy.port());
      builder.setProxy(host);
      if (proxyCredentials != null) {
        int colon = proxyCredentials.indexOf(':');
        if (colon < 0) {
          throw new SecretException("The secret of the proxy is not USER:PASSWORD");
        }
        BasicCredentialsProvider credentials = new BasicCredentialsProvider();
        credentials.setCredentials(
            new AuthScope(host),
            new UsernamePasswordCredentials(
                proxyCredentials.substring(0, colon),
                proxyCredentials.substring(colon + 1).toCharArray()));
        builder.setDefaultCredentialsProvider(credentials);
      }
    }
    client = builder.build();
  }

  /**
   * Sends a request and reads the answer, as far as {@link #MAX_ANSWER}.
   *
   * @param limit for all of it
   * @throws IOException if no answer came
   */
  Response send(
      String method, URI uri, List<HeaderLine> headers, byte @Nullable [] body, Duration limit)
      throws IOException {
    HttpUriRequestBase request = new HttpUriRequestBase(method, uri);
    headers.forEach(header -> request.addHeader(header.name(), header.value()));
    if (body != null) {
      request.setEntity(new ByteArrayEntity(body, null));
    }
    HttpHost target = new HttpHost(uri.getScheme(), uri.getHost(), uri.getPort());
    try (Deadline deadline = Deadline.after(limit, request::cancel)) {
      try {
        ClassicHttpResponse response = client.executeOpen(target, request, null);
        try {
          return read(request, response);
        } finally {
          close(response);
        }
      } catch (IOException e) {
        if (deadline.passed()) {
          throw new SocketTimeoutException("no answer within " + limit.toSeconds() + " s");
        }
        throw e;
      } catch (IllegalStateException | UnsupportedOperationException e) {
        if (deadline.passed()) { // a pool that is shut, a request that was canceled before it began
          throw new SocketTimeoutException("no answer within " + limit.toSeconds() + " s");
        }
        throw new IOException("The connection was closed", e);
      }
    }
  }

  /** What goes wrong behind the answer changes nothing. */
  private static void close(ClassicHttpResponse response) {
    try {
      response.close();
    } catch (IOException e) {
      // The connection is not used again then.
    }
  }

  private static Response read(HttpUriRequestBase request, ClassicHttpResponse response) {
    List<HeaderLine> headers = new ArrayList<>();
    for (Header header : response.getHeaders()) {
      if (headers.size() < MAX_HEADERS) {
        headers.add(new HeaderLine(header.getName(), String.valueOf(header.getValue())));
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    boolean truncated = false;
    HttpEntity entity = response.getEntity();
    Charset charset = StandardCharsets.UTF_8;
    if (entity != null) {
      charset = charset(entity);
      try {
        InputStream in = entity.getContent();
        byte[] buffer = new byte[8192];
        int read;
        while (!truncated && (read = in.read(buffer)) >= 0) {
          int room = MAX_ANSWER - bytes.size();
          bytes.write(buffer, 0, Math.min(read, room));
          truncated = read > room;
        }
      } catch (IOException e) {
        truncated = true; // the status has come, and that is what counts
      }
      if (truncated) {
        request.cancel(); // nothing more is read, not even to keep the connection
      }
    }
    return new Response(
        response.getCode(),
        response.getReasonPhrase() == null ? "" : response.getReasonPhrase(),
        headers,
        bytes.toString(charset),
        truncated);
  }

  private static Charset charset(HttpEntity entity) {
    try {
      ContentType type = ContentType.parseLenient(entity.getContentType());
      return type == null || type.getCharset() == null ? StandardCharsets.UTF_8 : type.getCharset();
    } catch (RuntimeException e) {
      return StandardCharsets.UTF_8; // a charset that nobody knows
    }
  }

  private static Timeout timeout(Duration duration) {
    return Timeout.of(duration);
  }

  /** Ends connections that were not used for a while. */
  void closeIdle() {
    connections.closeExpired();
    connections.closeIdle(TimeValue.ofSeconds(30));
  }

  @Override
  public void close() {
    client.close(CloseMode.GRACEFUL);
  }
}
