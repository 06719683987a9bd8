package io.peerlens.notify.secret;

import io.peerlens.notify.secret.SecretStore.Entry;
import io.peerlens.notify.secret.SecretStore.Stored;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Secret store: sealed values by name. Their values come out through {@link #value} alone, which
 * only channels call.
 */
public final class Secrets implements SecretValues {

  /** Characters of a secret at most; a PEM with key and chain fits. */
  public static final int MAX_LENGTH = 20_000;

  private final SecretStore store;
  private final KeyRing keys;
  private final InstantSource clock;
  private final List<SecretUser> users;

  Secrets(SecretStore store, KeyRing keys, InstantSource clock, ObjectProvider<SecretUser> users) {
    this.store = store;
    this.keys = keys;
    this.clock = clock;
    this.users = users.orderedStream().toList();
  }

  /**
   * Listed secret, without its value.
   *
   * @param openable whether this node has the key that it was sealed with
   * @param usedBy for people
   */
  public record Listed(
      String name,
      Instant createdAt,
      String createdBy,
      Instant updatedAt,
      String updatedBy,
      String keyId,
      boolean openable,
      List<String> usedBy) {}

  /**
   * Result of a rotation of the key.
   *
   * @param keyId the key in use
   * @param resealed secrets that are now sealed with it and were not before
   * @param unopenable names of secrets that no key of this node opens
   */
  public record Rotation(String keyId, int resealed, List<String> unopenable) {}

  /** Whether there is a key, so that secrets can be kept. */
  public boolean usable() {
    return keys.current().isPresent();
  }

  /** Whether a secret with this name exists. */
  public boolean exists(String name) {
    return store.find(name).isPresent();
  }

  /** Names of all secrets. */
  public Set<String> names() {
    return store.list().stream().map(Entry::name).collect(Collectors.toSet());
  }

  /** All secrets by name, without their values. */
  public List<Listed> list() {
    return store.list().stream().map(this::listed).toList();
  }

  /** One secret, without its value. */
  public Optional<Listed> find(String name) {
    return store.list().stream()
        .filter(entry -> entry.name().equals(name))
        .findFirst()
        .map(this::listed);
  }

  private Listed listed(Entry entry) {
    return new Listed(
        entry.name(),
        entry.createdAt(),
        entry.createdBy(),
        entry.updatedAt(),
        entry.updatedBy(),
        entry.keyId(),
        keys.find(entry.keyId()).isPresent(),
        usersOf(entry.name()));
  }

  /** What names the secret, for people. */
  public List<String> usersOf(String name) {
    return users.stream().flatMap(user -> user.usersOf(name).stream()).toList();
  }

  /**
   * Sets a secret, new or not.
   *
   * @param name see {@link SecretRef#isName}
   * @throws SecretException if there is no key, or the value is too short or too long
   */
  public void put(String name, String value, String by) {
    if (!SecretRef.isName(name)) {
      throw new SecretException("\"" + name + "\" is no name of a secret");
    }
    if (value.length() < UsedSecrets.MIN_LENGTH || value.length() > MAX_LENGTH) {
      throw new SecretException(
          "A secret has %d to %,d characters".formatted(UsedSecrets.MIN_LENGTH, MAX_LENGTH));
    }
    KeyRing.Key key = keys.current().orElseThrow(Secrets::noKey);
    store.put(name, EncryptedSecret.seal(name, value, key), clock.instant(), by);
  }

  /**
   * Keeps a value under a name of its own, for a definition that was sent with the value in the
   * place of a name.
   *
   * @param hint what it is for, such as {@code target-password}; becomes part of the name
   * @return the name
   */
  public String putGenerated(String hint, String value, String by) {
    String start =
        hint.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    String name =
        (start.isEmpty() ? "secret" : start.substring(0, Math.min(start.length(), 40)))
            + "-"
            + UUID.randomUUID().toString().substring(0, 8);
    put(name, value, by);
    return name;
  }

  /** Deletes a secret; says whether there was one. The caller has looked at {@link #usersOf}. */
  public boolean delete(String name) {
    return store.delete(name);
  }

  @Override
  public String value(String name) {
    Stored stored =
        store
            .find(name)
            .orElseThrow(() -> new SecretException("The secret " + name + " does not exist"));
    return open(name, stored);
  }

  private String open(String name, Stored stored) {
    String id = stored.sealed().keyId();
    KeyRing.Key key =
        keys.find(id)
            .orElseThrow(
                () ->
                    new SecretException(
                        "The secret %s was sealed with the key %s, which this node does not have: see peerlens.secrets.key-file"
                            .formatted(name, id)));
    return stored.sealed().open(name, key);
  }

  /**
   * Seals everything with the key in use; afterwards keys of before are not needed any more, unless
   * some secrets could not be opened.
   */
  public Rotation rotate() {
    KeyRing.Key key = keys.current().orElseThrow(Secrets::noKey);
    int resealed = 0;
    Stream.Builder<String> unopenable = Stream.builder();
    for (String name : store.sealedOtherwise(key.id())) {
      Optional<Stored> stored = store.find(name);
      if (stored.isEmpty()) {
        continue; // deleted meanwhile
      }
      try {
        EncryptedSecret again = EncryptedSecret.seal(name, open(name, stored.get()), key);
        // When it was set meanwhile, it was sealed with a key in use then; the next rotation finds
        // it.
        resealed += store.sealAgain(name, stored.get().version(), again) ? 1 : 0;
      } catch (SecretException e) {
        unopenable.add(name);
      }
    }
    return new Rotation(key.id(), resealed, unopenable.build().toList());
  }

  private static SecretException noKey() {
    return new SecretException(
        "There is no key to seal secrets with: set peerlens.secrets.key-file to a file that holds"
            + " one (openssl rand -base64 32)");
  }
}
