package io.peerlens.definition;

import io.peerlens.api.model.FieldChange;
import io.peerlens.api.model.RuleAction;
import io.peerlens.web.Page;
import io.peerlens.web.Versions;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;

/**
 * Endpoints that all definitions of one kind have: create, get, change, delete, history and
 * restore, with {@code ETag} and {@code If-Match}. A controller forwards the operations of the
 * contract to it.
 *
 * @param <E> a definition as the contract writes it
 * @param <R> the same, read
 * @param <A> the answer of the API
 */
public final class DefinitionEndpoints<E, R, A> {

  private final DefinitionService<E, R> service;
  private final Function<StoredRule<E, R>, A> answer;

  /**
   * @param answer makes the answer of the API from a stored definition
   */
  public DefinitionEndpoints(
      DefinitionService<E, R> service, Function<StoredRule<E, R>, A> answer) {
    this.service = service;
    this.answer = answer;
  }

  /** A version in the contract; every kind has a schema of this shape. */
  @FunctionalInterface
  public interface VersionSchema<E, V> {
    V of(
        Long version,
        RuleAction action,
        Instant at,
        String by,
        E definition,
        List<FieldChange> changes);
  }

  /** 201 with the new definition. */
  public ResponseEntity<A> create(E wanted) {
    return created(service.create(wanted));
  }

  /** 201 with a definition that has just been created. */
  public ResponseEntity<A> created(UUID id) {
    StoredRule<E, R> stored = service.get(id);
    return ResponseEntity.created(URI.create(service.path() + "/" + stored.id()))
        .eTag(Versions.tag(stored.version()))
        .body(answer.apply(stored));
  }

  /** 200 with a definition, or 404. */
  public ResponseEntity<A> get(UUID id) {
    StoredRule<E, R> stored = service.get(id);
    return ResponseEntity.ok().eTag(Versions.tag(stored.version())).body(answer.apply(stored));
  }

  /** 200 with the changed definition; 412 where {@code ifMatch} is not its version. */
  public ResponseEntity<A> put(UUID id, E wanted, @Nullable String ifMatch) {
    service.change(id, wanted, ifMatch);
    return get(id);
  }

  /** 204; 412 where {@code ifMatch} is not its version. */
  public ResponseEntity<Void> delete(UUID id, @Nullable String ifMatch) {
    service.delete(id, ifMatch);
    return ResponseEntity.noContent().build();
  }

  /** 200 with the restored definition. */
  public ResponseEntity<A> restore(UUID id, long version, @Nullable String ifMatch) {
    service.restore(id, version, ifMatch);
    return get(id);
  }

  /** 200 with a page of versions, newest first; also of a definition that was deleted. */
  public <V, P> ResponseEntity<P> history(
      UUID id,
      int limit,
      @Nullable String cursor,
      VersionSchema<E, V> version,
      Page.Schema<V, P> page) {
    return ResponseEntity.ok(
        service
            .history(id, limit, cursor)
            .map(
                one ->
                    version.of(
                        one.stored().version(),
                        one.action().inApi(),
                        one.at(),
                        one.by(),
                        one.stored().edit(),
                        one.changes()))
            .as(page));
  }
}
