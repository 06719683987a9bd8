package io.peerlens.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits of request bodies: by their announced length, else while they are read. It is the first of
 * all filters that could read a body, and knows nothing of callers: what needs a token is refused
 * later, before anything is read. Methods and paths that take no body are refused one.
 */
final class BodyLimitFilter extends OncePerRequestFilter {

  /** Among the filters: before those that read bodies, as that of form data. */
  static final int ORDER = Ordered.HIGHEST_PRECEDENCE;

  /** Longest body in bytes where no token is needed: a sign-in, a pairing. */
  static final long OPEN_LIMIT = 16 * 1024;

  private static final String API = "/api/";
  private static final String RELAY = "/relay/";
  private static final String ASSISTANTS = "/mcp";
  private static final String SUITE_API = "/suite-api/";
  private static final String OPEN = "/api/v1/session";
  private static final String SUITE_OPEN = SUITE_API + "api/auth/token/acquire";

  /** Longest body in bytes of a push of values, or of a query of many objects by id. */
  private static final long SUITE_LIMIT = 8 << 20;

  private static final String IMPORT = "/import";
  private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

  private static final Set<String> CHANGING = Set.of("POST", "PUT", "PATCH", "DELETE");

  private final long bodyLimit;
  private final long importLimit;
  private final Set<String> others;
  private final Problems problems;

  /**
   * @param importLimit for operations whose path ends with {@code /import}, which take files
   * @param others paths whose handlers have limits of their own
   */
  BodyLimitFilter(long bodyLimit, long importLimit, Set<String> others, Problems problems) {
    this.others = Set.copyOf(others);
    this.bodyLimit = bodyLimit;
    this.importLimit = importLimit;
    this.problems = problems;
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return others.contains(request.getRequestURI());
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    long announced = request.getContentLengthLong();
    boolean unknown = announced < 0 && request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
    Limit limit = limit(request);
    if (request.getRequestURI().startsWith(SUITE_API)) {
      // It answers in a form of its own, also that a body is too long.
      if (announced > limit.bytes()) {
        response.setHeader(HttpHeaders.CONNECTION, "close");
      }
      chain.doFilter(new Limited(request, limit), response);
    } else if (request.getRequestURI().startsWith(RELAY) && limit.bytes() > 0) {
      // Its endpoint asks for credentials, and then notes for people what came and was too long.
      chain.doFilter(new Limited(request, limit), response);
    } else if (announced > limit.bytes() || (unknown && limit.bytes() == 0)) {
      response.setHeader(HttpHeaders.CONNECTION, "close"); // rather than reading what nobody wants
      if (mayBeKnown(request)) {
        request.setAttribute(Problems.REFUSED_BODY, limit.problem());
        chain.doFilter(new Limited(request, limit), response);
      } else {
        problems.write(request, response, limit.problem());
      }
    } else if (unknown) {
      chain.doFilter(new Limited(request, limit), response);
    } else {
      chain.doFilter(request, response);
    }
  }

  /**
   * Whether a request that changes something has credentials; nobody knows yet if they are right.
   */
  private static boolean mayBeKnown(HttpServletRequest request) {
    return CHANGING.contains(request.getMethod())
        && (request.getRequestURI().startsWith(API) || request.getRequestURI().equals(ASSISTANTS))
        && (request.getHeader(HttpHeaders.AUTHORIZATION) != null
            || request.getHeader(HttpHeaders.COOKIE) != null);
  }

  private Limit limit(HttpServletRequest request) {
    String path = request.getRequestURI();
    if (path.startsWith(SUITE_API)) {
      return path.equals(SUITE_OPEN)
          ? new Limit(Math.min(OPEN_LIMIT, bodyLimit), null)
          : new Limit(Math.max(SUITE_LIMIT, bodyLimit), null);
    }
    if (!WITH_BODY.contains(request.getMethod())
        || !(path.startsWith(API) || path.startsWith(RELAY) || path.equals(ASSISTANTS))) {
      return new Limit(0, null);
    }
    if (path.equals(OPEN) || path.startsWith(OPEN + "/")) {
      return new Limit(Math.min(OPEN_LIMIT, bodyLimit), null);
    }
    return path.startsWith(API) && path.endsWith(IMPORT)
        ? new Limit(importLimit, "max-import-size")
        : new Limit(bodyLimit, "max-body-size");
  }

  /**
   * The longest body of a request.
   *
   * @param bytes 0 = it takes none
   * @param key of the setting; null = there is none
   */
  private record Limit(long bytes, @Nullable String key) {

    ApiException problem() {
      if (bytes == 0) {
        return ApiException.of(ErrorCode.BODY_TOO_LARGE, "This method takes no body at this path.")
            .hint("Send the request without a body.");
      }
      ApiException problem =
          ApiException.of(ErrorCode.BODY_TOO_LARGE, "The body is longer than " + bytes + " bytes.");
      return key == null
          ? problem
          : problem.hint("Split the request, or raise peerlens.web." + key + ".");
    }
  }

  private static final class Limited extends HttpServletRequestWrapper {
    private final Limit limit;
    private @Nullable ServletInputStream stream;
    private @Nullable BufferedReader reader;

    private Limited(HttpServletRequest request, Limit limit) {
      super(request);
      this.limit = limit;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      if (stream == null) {
        if (getContentLengthLong() > limit.bytes()) {
          throw new BodyTooLargeException(limit.problem());
        }
        stream = new LimitedStream(super.getInputStream(), limit);
      }
      return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
      if (reader == null) {
        String charset = getCharacterEncoding();
        reader =
            new BufferedReader(
                new InputStreamReader(getInputStream(), charset == null ? "UTF-8" : charset));
      }
      return reader;
    }
  }

  private static final class LimitedStream extends ServletInputStream {
    private final ServletInputStream in;
    private final Limit limit;
    private long read;

    private LimitedStream(ServletInputStream in, Limit limit) {
      this.in = in;
      this.limit = limit;
    }

    @Override
    public int read() throws IOException {
      int b = in.read();
      count(b < 0 ? 0 : 1);
      return b;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int n = in.read(bytes, offset, length);
      count(n);
      return n;
    }

    private void count(int n) throws BodyTooLargeException {
      read += Math.max(0, n);
      if (read > limit.bytes()) {
        throw new BodyTooLargeException(limit.problem());
      }
    }

    @Override
    public boolean isFinished() {
      return in.isFinished();
    }

    @Override
    public boolean isReady() {
      return in.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
      in.setReadListener(listener);
    }
  }
}
