package io.peerlens.notify.definition;

import static java.util.Objects.requireNonNullElseGet;

import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.RuleUser;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Definitions that carry secrets, changed as people ask for it: values that are sent go to the
 * secret store in the transaction that stores the definition, which holds their names.
 */
public abstract class SecretKeepingService<E, R> extends DefinitionService<E, R> {

  private final NotificationVersionStore number;
  private final Secrets secrets;

  protected SecretKeepingService(
      DefinitionStore<E, R> store,
      NotificationVersionStore number,
      Secrets secrets,
      InstantSource clock,
      DefinitionKind kind,
      Supplier<List<RuleUser>> users) {
    super(store, number, clock, kind, users);
    this.number = number;
    this.secrets = secrets;
  }

  /**
   * A definition without secrets.
   *
   * @param edit names stand for secrets
   * @param values to be stored, by name
   */
  public record Split<E>(E edit, Map<String, String> values) {}

  /** Puts names in the place of secrets, and fills in what was left out; or refuses. */
  protected abstract Split<E> split(UUID id, E wanted);

  @Override
  public final UUID create(E wanted) {
    UUID id = requireNonNullElseGet(wantedId(wanted), UUID::randomUUID);
    Split<E> split = split(id, wanted);
    return number.write(
        () -> {
          add(id, split.edit());
          keep(split.values());
          return id;
        });
  }

  @Override
  public final void change(UUID id, E wanted, @Nullable String ifMatch) {
    refuseAnotherId(id, wanted);
    Split<E> split = split(id, wanted);
    number.write(
        () -> {
          replace(id, split.edit(), ifMatch);
          keep(split.values());
          return id;
        });
  }

  private void keep(Map<String, String> values) {
    String by = Caller.current().name();
    values.forEach(
        (name, value) -> {
          try {
            secrets.put(name, value, by);
          } catch (SecretException e) {
            throw ApiException.of(
                    ErrorCode.CONFLICT, "The secret cannot be stored: " + e.getMessage() + ".")
                .hint("Give the name of a stored secret instead, or configure a key.");
          }
        });
  }
}
