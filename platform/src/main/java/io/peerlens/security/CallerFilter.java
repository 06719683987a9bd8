package io.peerlens.security;

import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Problems;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Authentication filter: finds the caller by bearer token or session cookie. Browsers add the
 * cookie on their own, so with it a request that changes something must carry the CSRF token too; a
 * bearer token no browser adds.
 */
final class CallerFilter extends OncePerRequestFilter {

  static final String CSRF_HEADER = "X-CSRF-Token";

  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");
  private static final String BEARER = "bearer ";
  private static final String HEALTH = "/health";

  private final Sessions sessions;
  private final Problems problems;

  CallerFilter(Sessions sessions, Problems problems) {
    this.sessions = sessions;
    this.problems = problems;
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    // Pages and files are open to all, and browsers send no token for them: no need to ask the
    // database. Health and metrics are asked for with a token.
    return !request.getRequestURI().startsWith("/api/")
        && request.getHeader(HttpHeaders.AUTHORIZATION) == null;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (authorization != null && isHealth(request)) {
      try {
        byBearerToken(authorization)
            .filter(caller -> !Caller.isNarrow(caller.role())) // details are none of their business
            .ifPresent(caller -> authenticate(request, caller));
      } catch (DataAccessException e) {
        // Health says even then how the node does, without details.
      }
    } else if (authorization != null) {
      byBearerToken(authorization).ifPresent(caller -> authenticate(request, caller));
    } else {
      Secret secret = sessionSecret(request);
      Optional<Caller> caller = secret == null ? Optional.empty() : sessions.bySession(secret);
      if (secret != null && caller.isPresent()) {
        if (!SAFE.contains(request.getMethod())
            && !isSignIn(request)
            && !carriesCsrfToken(request, secret)) {
          request.setAttribute(Caller.ATTRIBUTE, caller.get());
          problems.write(request, response, csrf());
          return;
        }
        authenticate(request, caller.get());
        sessions
            .renew(secret, caller.get())
            .ifPresent(
                life ->
                    response.addHeader(
                        HttpHeaders.SET_COOKIE,
                        SessionController.cookie(request, secret.value(), life).toString()));
      }
    }
    if (request.getAttribute(Problems.REFUSED_BODY) instanceof ApiException refused
        && request.getAttribute(Caller.ATTRIBUTE) != null) {
      problems.write(request, response, refused);
      return;
    }
    chain.doFilter(request, response);
    if (response.getStatus() >= 400 && request.getAttribute(Caller.ATTRIBUTE) != null) {
      readRest(request);
    }
  }

  /**
   * Reads what a refused caller still sends, which has a limit: a connection that is closed before
   * is reset, and the answer with it, so that the caller would not learn why.
   */
  private static void readRest(HttpServletRequest request) {
    try {
      request.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException | IllegalStateException e) {
      // It has ended, is too long, or is read as text.
    }
  }

  private static boolean isHealth(HttpServletRequest request) {
    String path = request.getRequestURI();
    return path.equals(HEALTH) || path.startsWith(HEALTH + "/");
  }

  private Optional<Caller> byBearerToken(String authorization) {
    return authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)
        ? sessions.byToken(new Secret(authorization.substring(BEARER.length()).strip()))
        : Optional.empty();
  }

  static @Nullable Secret sessionSecret(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      String name = Sessions.cookie(request);
      for (Cookie cookie : cookies) {
        if (cookie.getName().equals(name)) {
          return new Secret(cookie.getValue());
        }
      }
    }
    return null;
  }

  /** Signing in needs no session, so one that is there does not matter. */
  private static boolean isSignIn(HttpServletRequest request) {
    return request.getMethod().equals("POST")
        && request.getRequestURI().equals(ContractRoles.BASE + "/session");
  }

  private static boolean carriesCsrfToken(HttpServletRequest request, Secret secret) {
    String given = request.getHeader(CSRF_HEADER);
    return given != null && secret.hasCsrfToken(given);
  }

  private static ApiException csrf() {
    return ApiException.of(
            ErrorCode.CSRF,
            "A request with the session cookie that changes something needs the header X-CSRF-Token.")
        .hint("Send csrfToken from GET /api/v1/session in that header.");
  }

  static void authenticate(HttpServletRequest request, Caller caller) {
    request.setAttribute(Caller.ATTRIBUTE, caller);
    List<String> roles =
        switch (caller.role()) {
          case INGEST -> List.of("ROLE_ingest");
          case SCREEN -> List.of("ROLE_screen");
          case LINK -> List.of("ROLE_link");
          case VIEWER -> List.of("ROLE_viewer");
          case OPERATOR -> List.of("ROLE_viewer", "ROLE_operator");
          case ADMIN -> List.of("ROLE_viewer", "ROLE_operator", "ROLE_admin");
        };
    SecurityContext context = SecurityContextHolder.createEmptyContext();
    context.setAuthentication(
        UsernamePasswordAuthenticationToken.authenticated(
            caller, null, AuthorityUtils.createAuthorityList(roles)));
    SecurityContextHolder.setContext(context);
  }
}
