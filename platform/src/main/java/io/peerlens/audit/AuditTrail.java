package io.peerlens.audit;

import io.peerlens.api.model.AuditOutcome;
import io.peerlens.audit.AuditRecord.Result;
import io.peerlens.audit.AuditRecord.Subject;
import io.peerlens.audit.AuditRecord.Who;
import io.peerlens.audit.AuditStore.Named;
import io.peerlens.audit.Descriptions.Description;
import io.peerlens.security.Caller;
import io.peerlens.security.ContractRoles;
import io.peerlens.security.ContractRoles.Operation;
import io.peerlens.security.Secret;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Problems;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionException;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Path of an audited operation into the log. Before it begins, a note of it is stored; when that
 * cannot be done, the operation is not begun either. When it has changed something, the entry takes
 * the place of the note before anybody is answered. Failures are handed to {@link Failures}, which
 * writes them in batches. A note that is left over, because the process ended, becomes an entry
 * with the outcome {@code unknown}.
 *
 * <p>Operations that are open to all leave no note, or anybody could fill the database; a sign-in
 * counts only once its entry is stored.
 */
final class AuditTrail {

  private static final Logger log = LoggerFactory.getLogger(AuditTrail.class);

  private static final String ATTRIBUTE = AuditTrail.class.getName();
  private static final String BEARER = "bearer ";
  private static final Pattern TAG = Pattern.compile("(?:W/)?\"(\\d{1,18})\"");
  private static final Pattern REQUEST_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private final AuditStore store;
  private final Failures failures;
  private final InstantSource clock;

  AuditTrail(AuditStore store, Failures failures, InstantSource clock) {
    this.store = store;
    this.failures = failures;
    this.clock = clock;
  }

  /** An operation under way. */
  static final class Pending {
    private final Operation operation;
    private final AuditRecord record;
    private final @Nullable UUID open;
    private final Map<String, String> variables;
    private boolean over;
    private @Nullable String secret;

    private Pending(
        Operation operation,
        AuditRecord record,
        @Nullable UUID open,
        Map<String, String> variables) {
      this.operation = operation;
      this.record = record;
      this.open = open;
      this.variables = variables;
    }

    /** Notes the secret that somebody tried to sign in with; only its hash is looked up. */
    void tried(String token) {
      secret = token;
    }
  }

  /**
   * Notes that an operation begins.
   *
   * @throws ApiException {@code unavailable} when that cannot be stored; it must not begin then
   */
  Pending begin(Operation operation, HttpServletRequest request) {
    @SuppressWarnings("unchecked") // as Spring's mapping sets it
    Map<String, String> variables =
        (Map<String, String>) request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
    Map<String, String> known = variables == null ? Map.of() : variables;
    if (!operation.audited()) { // a read that is recorded: which part was read
      String query = request.getQueryString();
      known = query == null ? Map.of() : Map.of("query", query);
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    String kind = kind(operation.path());
    String id = id(operation.path(), kind, known);
    boolean open = operation.audited() && !operation.role().equals("none");
    try {
      Named named =
          !open || (id != null && AuditStore.byUuid(kind) && !Descriptions.isUuid(id))
              ? new Named(null, null)
              : store.named(kind, id).orElse(new Named(null, null));
      Long before = named.version() == null ? tag(request.getHeader("If-Match")) : named.version();
      Set<String> related = new LinkedHashSet<>();
      if (operation.audited()) {
        known.values().forEach(value -> related.add(Descriptions.clip(value)));
      }
      if (id != null) {
        related.add(id);
      }
      AuditRecord record =
          new AuditRecord(
              now,
              null,
              1,
              who(request),
              operation.id(),
              new Subject(
                  kind,
                  id,
                  named.name() == null ? null : Descriptions.clip(named.name()),
                  related,
                  before,
                  null),
              Result.UNKNOWN,
              Map.of());
      UUID note = open ? UUID.randomUUID() : null;
      if (note != null) {
        store.open(note, record);
      }
      Pending pending = new Pending(operation, record, note, known);
      request.setAttribute(ATTRIBUTE, pending);
      return pending;
    } catch (DataAccessException | TransactionException e) {
      throw unavailable(operation, e);
    }
  }

  /**
   * Adds the entry of an operation that did what was asked.
   *
   * @throws ApiException {@code unavailable} when that cannot be stored and nobody knows yet what
   *     the operation gave, as at a sign-in
   */
  void succeeded(
      Pending pending,
      HttpServletRequest request,
      @Nullable Object[] arguments,
      @Nullable Object value) {
    Object answer = value instanceof ResponseEntity<?> entity ? entity.getBody() : value;
    int status = value instanceof ResponseEntity<?> entity ? entity.getStatusCode().value() : 200;
    if (status >= 400) {
      return; // the filter sees it
    }
    pending.over = true;
    Description what = Descriptions.of(arguments, answer);
    try {
      if (!what.changed()) {
        if (pending.open != null) {
          store.drop(pending.open);
        }
        return;
      }
      AuditRecord done = done(pending, request, what, status, value);
      if (pending.open != null) {
        store.close(List.of(pending.open), List.of(done));
      } else if (what.actor() == null && pending.operation.role().equals("none")) {
        failures.add(done, null, null, null); // anybody can do that, as often as he likes
      } else {
        store.append(done);
      }
    } catch (DataAccessException | TransactionException e) {
      if (pending.open == null) {
        throw unavailable(pending.operation, e);
      }
      // It is done, and its note is there: it becomes an entry with an outcome that is not known.
      log.error(
          "The outcome of {} (request {}) could not be added to the audit log",
          pending.record.operation(),
          pending.record.who().requestId(),
          e);
    }
  }

  private AuditRecord done(
      Pending pending,
      HttpServletRequest request,
      Description what,
      int status,
      @Nullable Object value) {
    AuditRecord record = pending.record;
    Subject subject = record.subject();
    String kind = subject.kind();
    Set<String> related = new LinkedHashSet<>(subject.related());
    String id = subject.id();
    if (id == null && what.id() != null) {
      id = what.id();
    }
    if (id != null) {
      related.add(id);
    }
    related.addAll(what.related());
    if (kind != null) {
      related.addAll(store.behind(kind, Descriptions.uuids(related)));
    }
    Long after =
        value instanceof ResponseEntity<?> entity ? tag(entity.getHeaders().getETag()) : null;
    Map<String, Object> details = new LinkedHashMap<>(what.details());
    details.putAll(AuditNote.current());
    pending.variables.forEach(
        (name, text) -> {
          if (!text.equals(subject.id())) {
            details.put(name, Descriptions.clip(text));
          }
        });
    Who who = record.who();
    if (what.actor() != null) {
      who = who(request); // who signed in
    }
    return new AuditRecord(
        record.at(),
        null,
        1,
        who,
        record.operation(),
        new Subject(
            kind,
            id,
            what.name() != null ? what.name() : subject.name(),
            related,
            subject.before(),
            after),
        Result.of(status, null),
        details);
  }

  /** Whether the operation of a request has its entry. */
  static boolean isOver(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof Pending pending && pending.over;
  }

  /** Hands on how a request failed, which an operation of this contract or another path refused. */
  void failed(HttpServletRequest request, @Nullable Operation operation, int status) {
    Object code = request.getAttribute(Problems.CODE);
    Result result = Result.of(status, code instanceof ErrorCode known ? known.code() : null);
    if (request.getAttribute(ATTRIBUTE) instanceof Pending pending) {
      pending.over = true;
      AuditRecord tried = pending.record;
      failures.add(
          new AuditRecord(
              tried.at(),
              null,
              1,
              tried.who(),
              tried.operation(),
              tried.subject(),
              result,
              Map.of()),
          pending.open,
          null,
          pending.secret == null ? null : Secret.sha256(pending.secret));
      return;
    }
    Who who = who(request);
    String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
    boolean credentials =
        authorization != null && authorization.toLowerCase(Locale.ROOT).startsWith(BEARER);
    boolean relay = request.getRequestURI().startsWith("/relay/");
    String asked = operation == null ? request.getMethod() : operation.id();
    boolean anonymous = who.tokenId() == null;
    String name = relay ? "relay" : anonymous ? "authenticate" : asked;
    String kind =
        relay
            ? "notification-relays"
            : anonymous || operation == null ? null : kind(operation.path());
    String relayName = relay ? Descriptions.clip(request.getRequestURI().split("/", 4)[2]) : null;
    failures.add(
        new AuditRecord(
            clock.instant().truncatedTo(ChronoUnit.MILLIS),
            null,
            1,
            who,
            name,
            new Subject(kind, null, relayName, Set.of(), null, null),
            result,
            Map.of()),
        null,
        anonymous && !relay ? asked : null,
        anonymous && credentials && !relay && authorization != null
            ? Secret.sha256(authorization.substring(BEARER.length()).strip())
            : null);
  }

  /** The first token, which no request asked for; in the transaction that makes it. */
  void console(String operation, String kind, UUID id, String name, Map<String, Object> details) {
    store.append(
        new AuditRecord(
            clock.instant().truncatedTo(ChronoUnit.MILLIS),
            null,
            1,
            new Who(null, "console", null, null, null, null, null),
            operation,
            new Subject(kind, id.toString(), name, Set.of(id.toString()), null, null),
            new Result(AuditOutcome.SUCCEEDED, null, null),
            details));
  }

  // -----------------------------------------------------------------------------------------------

  /** The first part of a path below the API's, such as {@code thresholds}. */
  private static String kind(String path) {
    return path.substring(ContractRoles.BASE.length() + 1).split("/", 2)[0];
  }

  private static @Nullable String id(String path, String kind, Map<String, String> variables) {
    for (String name : List.of("id", "name", "suggestion")) {
      String value = variables.get(name);
      if (value != null) {
        return Descriptions.clip(value);
      }
    }
    return kind.equals("settings") ? path.substring(path.lastIndexOf('/') + 1) : null;
  }

  private static Who who(HttpServletRequest request) {
    String agent = request.getHeader(HttpHeaders.USER_AGENT);
    Object id = request.getAttribute(AuditFilter.REQUEST_ID);
    Who who =
        new Who(
            null,
            null,
            null,
            null,
            request.getRemoteAddr(),
            agent == null ? null : Descriptions.clip(agent),
            id == null ? null : id.toString());
    return request.getAttribute(Caller.ATTRIBUTE) instanceof Caller caller
        ? new Who(
            caller.tokenId(),
            Descriptions.clip(caller.name()),
            caller.role().getValue(),
            caller.sessionId() == null ? null : caller.sessionId().toString(),
            who.address(),
            who.userAgent(),
            who.requestId())
        : who;
  }

  /** The id that a request names, if it is a good one, else a new one. */
  static String requestId(HttpServletRequest request) {
    String given = request.getHeader(AuditFilter.HEADER);
    return given != null && REQUEST_ID.matcher(given).matches()
        ? given
        : UUID.randomUUID().toString();
  }

  private static @Nullable Long tag(@Nullable String tag) {
    Matcher matcher = tag == null ? null : TAG.matcher(tag);
    return matcher != null && matcher.matches() ? Long.valueOf(matcher.group(1)) : null;
  }

  private static ApiException unavailable(Operation operation, RuntimeException e) {
    log.error("{} was refused, because the audit log could not be written", operation.id(), e);
    return ApiException.of(
            ErrorCode.UNAVAILABLE,
            "The audit log cannot be written, and nothing is done without it.")
        .hint("Try again in some seconds; the log of the server says why.");
  }
}
