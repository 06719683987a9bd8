package io.peerlens.security;

import io.peerlens.security.ContractRoles.Operation;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Problems;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.config.annotation.web.configurers.ExceptionHandlingConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer.FrameOptionsConfig;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.header.writers.CrossOriginOpenerPolicyHeaderWriter.CrossOriginOpenerPolicy;
import org.springframework.security.web.header.writers.CrossOriginResourcePolicyHeaderWriter.CrossOriginResourcePolicy;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

/** Security of requests: who may call what, in processes of every role. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SecurityProperties.class)
@Import({
  TokenStore.class,
  SessionStore.class,
  Sessions.class,
  CallerCache.class,
  Callers.class,
  ApiTokens.class,
  ClientSessions.class
})
public class SecurityConfiguration {

  /** The scripts that stand in the index are allowed by their digests, and no others. */
  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'self'; script-src 'self'"
          + InlineScripts.digests("static/index.html")
          + "; img-src 'self' data:; object-src 'none'; base-uri 'none';"
          + " form-action 'self'; frame-ancestors 'none';"
          // Only lit-html and the view of a mail make HTML of texts.
          + " require-trusted-types-for 'script'; trusted-types lit-html peerlens-mail";

  /** Address of the page of public links. */
  private static final String LINK = "/link";

  /** What the pages use none of. */
  private static final String PERMISSIONS_POLICY =
      "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(),"
          + " magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()";

  /** No users with passwords; without this bean Spring Boot would make one and print it. */
  @Bean
  UserDetailsService noUsers() {
    return new InMemoryUserDetailsManager();
  }

  /**
   * Other systems send alerts here. The endpoint asks each of them for the credentials of its
   * relay; tokens and sessions of people are not even looked at.
   */
  @Bean
  @Order(1)
  SecurityFilterChain relaySecurity(HttpSecurity http) {
    return ownCredentials(http.securityMatcher("/relay/**"));
  }

  /**
   * Security of paths whose handlers ask for credentials themselves. Cookies of people are not even
   * looked at there.
   */
  public static SecurityFilterChain ownCredentials(HttpSecurity http) {
    return http.sessionManagement(
            session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .csrf(AbstractHttpConfigurer::disable) // browsers send no such credentials by themselves
        .formLogin(AbstractHttpConfigurer::disable)
        .httpBasic(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .headers(SecurityConfiguration::headers)
        .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
        .build();
  }

  /**
   * Assistants ask here with a token of their own; the cookie of a session, which browsers add by
   * themselves, is not looked at.
   */
  @Bean
  @Order(2)
  SecurityFilterChain assistantSecurity(HttpSecurity http, Sessions sessions, Problems problems) {
    http.securityMatcher("/mcp")
        .sessionManagement(
            session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .csrf(AbstractHttpConfigurer::disable) // browsers add no bearer token by themselves
        .formLogin(AbstractHttpConfigurer::disable)
        .httpBasic(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .headers(SecurityConfiguration::headers)
        .addFilterBefore(new CallerFilter(sessions, problems), AnonymousAuthenticationFilter.class)
        .exceptionHandling(
            errors ->
                errors
                    .authenticationEntryPoint(JsonRpcRefusals::unauthenticated)
                    .accessDeniedHandler(JsonRpcRefusals::forbidden))
        .authorizeHttpRequests(
            requests -> {
              requests
                  .dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.ASYNC)
                  .permitAll();
              requests.anyRequest().hasRole("viewer");
            });
    return http.build();
  }

  @Bean
  SecurityFilterChain security(HttpSecurity http, Sessions sessions, Problems problems) {
    List<Operation> operations = ContractRoles.read();
    http.sessionManagement(
            session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .csrf(AbstractHttpConfigurer::disable) // CallerFilter does it, for the cookie only
        .formLogin(AbstractHttpConfigurer::disable)
        .httpBasic(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .headers(SecurityConfiguration::headers)
        .addFilterBefore(new CallerFilter(sessions, problems), AnonymousAuthenticationFilter.class)
        .addFilterAfter(new FixedPathMethods(operations, problems), AuthorizationFilter.class)
        .exceptionHandling(errors -> refusals(errors, problems))
        .authorizeHttpRequests(
            requests -> {
              // What goes on after a request was let in: its error, or the end of a stream.
              requests
                  .dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.ASYNC)
                  .permitAll();
              requests.requestMatchers(EndpointRequest.to("health")).permitAll();
              requests.requestMatchers(EndpointRequest.to("prometheus")).hasRole("viewer");
              requests.requestMatchers(EndpointRequest.toAnyEndpoint()).hasRole("admin");
              for (Operation operation : operations) {
                allow(requests.requestMatchers(operation.method(), operation.path()), operation);
                if (operation.method() == HttpMethod.GET) {
                  allow(requests.requestMatchers(HttpMethod.HEAD, operation.path()), operation);
                }
              }
              requests
                  .requestMatchers("/api/**")
                  .authenticated(); // no such path, or method: 404, 405
              requests.requestMatchers(HttpMethod.GET, "/**").permitAll(); // pages and their files
              requests.requestMatchers(HttpMethod.HEAD, "/**").permitAll();
              requests.anyRequest().denyAll();
            });
    return http.build();
  }

  private static void refusals(
      ExceptionHandlingConfigurer<HttpSecurity> errors, Problems problems) {
    errors
        .authenticationEntryPoint(
            (request, response, e) -> {
              response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
              problems.write(request, response, unauthenticated(request));
            })
        .accessDeniedHandler(
            (request, response, e) -> problems.write(request, response, forbidden()));
  }

  private static void allow(
      AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizedUrl matched, Operation operation) {
    if (operation.role().equals("none")) {
      matched.permitAll();
    } else if (operation.also().isEmpty()) {
      matched.hasRole(operation.role());
    } else {
      matched.access(
          (authentication, request) ->
              new AuthorizationDecision(
                  mayDo(authentication.get(), operation, request.getVariables())));
    }
  }

  private static boolean mayDo(
      @Nullable Authentication authentication, Operation operation, Map<String, String> variables) {
    if (authentication == null) {
      return false;
    }
    String role = "ROLE_" + operation.role();
    return authentication.getAuthorities().stream().anyMatch(has -> role.equals(has.getAuthority()))
        || (authentication.getPrincipal() instanceof Caller caller
            && operation.isAlsoFor(caller, variables));
  }

  /** HSTS comes by itself with TLS. */
  private static void headers(HeadersConfigurer<HttpSecurity> headers) {
    headers
        .contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT_SECURITY_POLICY))
        .frameOptions(FrameOptionsConfig::deny)
        .addHeaderWriter(SecurityConfiguration::referrerPolicy)
        .permissionsPolicyHeader(policy -> policy.policy(PERMISSIONS_POLICY))
        .crossOriginOpenerPolicy(policy -> policy.policy(CrossOriginOpenerPolicy.SAME_ORIGIN))
        .crossOriginResourcePolicy(policy -> policy.policy(CrossOriginResourcePolicy.SAME_ORIGIN));
  }

  /** A public link tells nobody of itself, not even this service. */
  private static void referrerPolicy(HttpServletRequest request, HttpServletResponse response) {
    String path = request.getRequestURI();
    ReferrerPolicy policy =
        path.equals(LINK) || path.startsWith(LINK + "/")
            ? ReferrerPolicy.NO_REFERRER
            : ReferrerPolicy.SAME_ORIGIN;
    response.setHeader("Referrer-Policy", policy.getPolicy());
  }

  private static ApiException unauthenticated(HttpServletRequest request) {
    boolean tried =
        request.getHeader(HttpHeaders.AUTHORIZATION) != null
            || CallerFilter.sessionSecret(request) != null;
    return ApiException.of(
            ErrorCode.UNAUTHENTICATED,
            tried
                ? "The token or session is unknown, revoked or expired."
                : "This needs a token or a session.")
        .hint("Send an API token as Authorization: Bearer TOKEN, or sign in at /api/v1/session.");
  }

  private static ApiException forbidden() {
    Caller caller = Caller.current();
    return ApiException.of(
            ErrorCode.FORBIDDEN,
            "Token "
                + caller.name()
                + " has the role "
                + caller.role()
                + ", which does not suffice.")
        .hint(
            "Use a token with a higher role; the contract names the least role of each operation.");
  }
}
