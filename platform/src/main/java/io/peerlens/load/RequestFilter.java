package io.peerlens.load;

import io.peerlens.database.Workload;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Problems;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Outermost filter of every request: gives it connections of the right pool, and answers 503 when
 * another filter gets none.
 */
final class RequestFilter extends OncePerRequestFilter {

  private static final Logger LOG = LoggerFactory.getLogger(RequestFilter.class);
  private static final String RELAYS = "/relay/";

  private final Problems problems;

  RequestFilter(Problems problems) {
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    // Other systems send alerts to relays: how much people ask does not stop these.
    Workload workload =
        request.getRequestURI().startsWith(RELAYS) ? Workload.NOTIFICATION : Workload.API;
    try (Workload.Mark mark = workload.begin()) {
      chain.doFilter(request, response);
    } catch (RuntimeException | ServletException e) {
      if (!isUnavailable(e) || response.isCommitted()) {
        throw e;
      }
      LOG.warn(
          "{} {} could not be answered: {}", request.getMethod(), request.getRequestURI(), root(e));
      response.reset();
      problems.write(
          request,
          response,
          ApiException.of(ErrorCode.UNAVAILABLE, "The database does not answer, or not in time.")
              .hint("Try again in some seconds.")
              .retryAfter(Duration.ofSeconds(5)));
    }
  }

  private static boolean isUnavailable(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof DataAccessResourceFailureException
          || cause instanceof TransientDataAccessException
          || cause instanceof QueryTimeoutException
          || cause instanceof CannotCreateTransactionException) {
        return true;
      }
    }
    return false;
  }

  private static String root(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName() + ": " + root.getMessage();
  }

  @Override
  protected boolean shouldNotFilterAsyncDispatch() {
    return false;
  }

  @Override
  protected boolean shouldNotFilterErrorDispatch() {
    return false;
  }
}
