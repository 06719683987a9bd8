package io.peerlens.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses bodies over the limit: by their announced length, else while they are read. */
final class BodyLimitFilter extends OncePerRequestFilter {

  private static final String IMPORT = "/import";

  private final long bodyLimit;
  private final long importLimit;
  private final Problems problems;

  /**
   * @param importLimit for operations whose path ends with {@code /import}, which take files
   */
  BodyLimitFilter(long bodyLimit, long importLimit, Problems problems) {
    this.bodyLimit = bodyLimit;
    this.importLimit = importLimit;
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    boolean file = request.getRequestURI().endsWith(IMPORT);
    long limit = file ? importLimit : bodyLimit;
    String key = file ? "max-import-size" : "max-body-size";
    if (request.getContentLengthLong() > limit) {
      response.setHeader("Connection", "close"); // rather than reading what nobody wants
      problems.write(request, response, tooLarge(limit, key));
    } else if (request.getContentLengthLong() >= 0) {
      chain.doFilter(request, response);
    } else {
      chain.doFilter(new Limited(request, limit, key), response);
    }
  }

  private static ApiException tooLarge(long limit, String key) {
    return ApiException.of(ErrorCode.BODY_TOO_LARGE, "The body is longer than " + limit + " bytes.")
        .hint("Split the request, or raise peerlens.web." + key + ".");
  }

  /** Thrown while a body of unknown length is read. */
  static final class BodyTooLarge extends IOException {
    private final long limit;
    private final String key;

    private BodyTooLarge(long limit, String key) {
      super("Body longer than " + limit + " bytes");
      this.limit = limit;
      this.key = key;
    }

    ApiException problem() {
      return tooLarge(limit, key);
    }
  }

  private static final class Limited extends HttpServletRequestWrapper {
    private final long limit;
    private final String key;

    private Limited(HttpServletRequest request, long limit, String key) {
      super(request);
      this.limit = limit;
      this.key = key;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      return new LimitedStream(super.getInputStream(), limit, key);
    }
  }

  private static final class LimitedStream extends ServletInputStream {
    private final ServletInputStream in;
    private final long limit;
    private final String key;
    private long read;

    private LimitedStream(ServletInputStream in, long limit, String key) {
      this.in = in;
      this.limit = limit;
      this.key = key;
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

    private void count(int n) throws BodyTooLarge {
      read += Math.max(0, n);
      if (read > limit) {
        throw new BodyTooLarge(limit, key);
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
