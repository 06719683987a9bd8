package io.peerlens.source.definition;

import static java.util.Objects.requireNonNullElseGet;

import io.peerlens.api.model.SecretRef;
import io.peerlens.api.model.SourceEdit;
import io.peerlens.definition.DefinitionAction;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.StoredRule;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sources, changed as people ask for it. A password that is sent becomes a secret under a name that
 * is made anew each time. A stored password is never sent to another host or port than it was
 * stored for: whoever changes the address sends the password again.
 */
public final class SourceService extends DefinitionService<SourceEdit, Source> {

  /** Names that are made here; each belongs to one source and one password. */
  private static final Pattern MADE =
      Pattern.compile("source-[0-9a-f]{8}-[0-9a-f]{4}-password-[0-9a-f]{8}");

  private final SourceStore store;
  private final SourceVersionStore number;
  private final Secrets secrets;
  private final SourceGuard guard;

  SourceService(
      SourceStore store,
      SourceVersionStore number,
      Secrets secrets,
      SourceGuard guard,
      InstantSource clock,
      CollectorProperties properties) {
    super(
        store,
        number,
        clock,
        new DefinitionKind(
            "source", "/api/v1/sources", properties.maxSources(), "peerlens.collector.max-sources"),
        List::of);
    this.store = store;
    this.number = number;
    this.secrets = secrets;
    this.guard = guard;
  }

  @Override
  protected @Nullable UUID wantedId(SourceEdit wanted) {
    return wanted.getId();
  }

  @Override
  public UUID create(SourceEdit wanted) {
    UUID id = requireNonNullElseGet(wantedId(wanted), UUID::randomUUID);
    return number.write(
        () -> {
          add(id, complete(id, wanted, null));
          return id;
        });
  }

  @Override
  public void change(UUID id, SourceEdit wanted, @Nullable String ifMatch) {
    refuseAnotherId(id, wanted);
    number.write(
        () -> {
          Source before = store.find(id).orElse(null);
          replace(
              id,
              ifMatch,
              DefinitionAction.CHANGED,
              stored -> complete(id, wanted, stored == null ? null : stored.rule()));
          forget(before);
          return id;
        });
  }

  /** Removes a source, and its password if that was stored with it. */
  public void remove(UUID id, @Nullable String ifMatch) {
    number.write(
        () -> {
          Source before = store.find(id).orElse(null);
          store.lockLease(id);
          delete(id, ifMatch);
          forget(before);
          return id;
        });
  }

  /** Deletes a password that was stored with a source, once nothing names it any more. */
  private void forget(@Nullable Source before) {
    if (before != null
        && MADE.matcher(before.password()).matches()
        && secrets.usersOf(before.password()).isEmpty()) {
      secrets.delete(before.password());
    }
  }

  /**
   * A definition as it is stored, with the name of a secret for its password; within the write.
   *
   * @param before null = there is none, or it cannot be read
   */
  private SourceEdit complete(UUID id, SourceEdit wanted, @Nullable Source before) {
    URI address = SourceReader.address("address", wanted.getAddress());
    if (before == null || !isSamePlace(before.address(), address)) {
      String refusal = guard.refusal(address);
      if (refusal != null) {
        throw ApiException.invalidField("address", "cannot be read: " + refusal)
            .hint(
                "Let the administrator allow it with peerlens.collector.egress, or give another"
                    + " address.");
      }
    }
    SecretRef given = wanted.getPassword();
    String name = given == null ? null : given.getSecret();
    String value = given == null ? null : given.getValue();
    if (name != null && value != null) {
      throw ApiException.invalidField("password", "has a name and a value")
          .hint("Give secret, the name of a stored one, or value.");
    }
    if (name == null && value == null) {
      name = kept(before, address);
    }
    SourceEdit edit =
        new SourceEdit(wanted.getName(), wanted.getKind(), address.toString(), wanted.getUsername())
            .trust(wanted.getTrust())
            .reads(wanted.getReads())
            .options(wanted.getOptions());
    if (value != null) {
      String made = made(id);
      SourceReader.read(id, 0, edit.password(new SecretRef().secret(made)));
      keep(made, value);
    } else if (name != null) {
      usable(name, before, address);
      edit.password(new SecretRef().secret(name));
    }
    return edit;
  }

  private static String made(UUID id) {
    return "source-%s-password-%s"
        .formatted(id.toString().substring(0, 13), UUID.randomUUID().toString().substring(0, 8));
  }

  /** The password of before, where it is left out. */
  private static String kept(@Nullable Source before, URI address) {
    if (before == null) {
      throw ApiException.invalidField("password", "is missing")
          .hint("Give {\"value\": \"...\"}, or {\"secret\": \"NAME\"} for a stored secret.");
    }
    if (!isSamePlace(before.address(), address)) {
      throw elsewhere("password");
    }
    return before.password();
  }

  private static ApiException elsewhere(String field) {
    return ApiException.invalidField(
            field, "must be sent again, as value, since host or port change")
        .hint("A stored password is not sent to another host.");
  }

  /** Refuses a secret that is not there, or that was stored for another place. */
  private void usable(String name, @Nullable Source before, URI address) {
    Source own = before != null && before.password().equals(name) ? before : null;
    if (own != null && !isSamePlace(own.address(), address)) {
      throw elsewhere("password");
    }
    if (own == null && MADE.matcher(name).matches() && !isOfPlace(name, address)) {
      throw ApiException.invalidField("password.secret", "is the password of another place")
          .hint("Give the password as value.");
    }
    if (!secrets.exists(name)) {
      throw ApiException.invalidField("password.secret", "there is no secret " + name)
          .hint("Give the password as value, or store it with PUT /api/v1/secrets/" + name + ".");
    }
  }

  /** Whether a source of the same host and port has this password, so that a copy may have it. */
  private boolean isOfPlace(String name, URI address) {
    return store.byId().values().stream()
        .map(StoredRule::rule)
        .anyMatch(other -> other.password().equals(name) && isSamePlace(other.address(), address));
  }

  private void keep(String name, String value) {
    try {
      secrets.put(name, value, Caller.current().name());
    } catch (SecretException e) {
      throw ApiException.of(
              ErrorCode.CONFLICT, "The password cannot be stored: " + e.getMessage() + ".")
          .hint("Give the name of a stored secret instead, or configure a key.");
    }
  }

  /** Whether two addresses have the same host and port. */
  public static boolean isSamePlace(URI one, URI other) {
    return one.getHost().equalsIgnoreCase(other.getHost())
        && SourceGuard.port(one) == SourceGuard.port(other);
  }

  /** Also holds for a version that is restored, which brings no password with it. */
  @Override
  protected void check(Source source) {
    for (StoredRule<SourceEdit, Source> other : store.byId().values()) {
      if (!other.id().equals(source.id()) && other.name().equalsIgnoreCase(source.name())) {
        throw ApiException.of(
                ErrorCode.CONFLICT,
                "The name \"%s\" is taken by %s.".formatted(source.name(), other.id()))
            .field("name", "is taken")
            .hint("Choose another name, or change that source.");
      }
    }
    Source before = store.find(source.id()).orElse(null);
    if (before == null) {
      return;
    }
    if (before.password().equals(source.password())) {
      if (!isSamePlace(before.address(), source.address())) {
        throw ApiException.of(
                ErrorCode.CONFLICT,
                "It would send the stored password to another host or port than it was stored for.")
            .hint("Change the source with PUT, and send its password with it.");
      }
    } else if (MADE.matcher(source.password()).matches() && !secrets.exists(source.password())) {
      throw ApiException.of(ErrorCode.CONFLICT, "The password of that version is deleted.")
          .hint("Change the source with PUT, and send its password with it.");
    }
  }
}
