package io.peerlens.notify.relay;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.NotificationRelayAuth;
import io.peerlens.api.model.NotificationRelayEdit;
import io.peerlens.api.model.RelayLabels;
import io.peerlens.api.model.SecretRef;
import io.peerlens.api.model.Severity;
import io.peerlens.definition.Definitions;
import io.peerlens.notify.definition.SecretKeepingService.Split;
import io.peerlens.notify.relay.NotificationRelay.Auth;
import io.peerlens.notify.relay.NotificationRelay.Labels;
import io.peerlens.scope.ScopeReader;
import io.peerlens.web.ApiException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Relays of the API as records. */
final class NotificationRelayReader {

  /** What rules name as source for alerts that do not come through relays. */
  private static final Set<String> OURS = Set.of("peerlens", "notices", VCenterAlarm.SOURCE);

  private static final String SECRET_HINT =
      "Give secret, the name of a stored one, or value, which is stored under a name that is made.";

  private NotificationRelayReader() {}

  /** Puts names in the place of secrets that were sent as values. */
  static Split<NotificationRelayEdit> split(UUID id, NotificationRelayEdit wanted) {
    NotificationRelayEdit edit = copy(wanted);
    NotificationRelayAuth auth = edit.getAuth();
    Map<String, String> values = new LinkedHashMap<>();
    String prefix = "relay-" + id.toString().substring(0, 13) + "-";
    if (auth.getPassword() != null) {
      auth.setPassword(named(auth.getPassword(), "auth.password", prefix + "password", values));
    }
    if (auth.getToken() != null) {
      auth.setToken(named(auth.getToken(), "auth.token", prefix + "token", values));
    }
    return new Split<>(edit, values);
  }

  static NotificationRelayEdit copy(NotificationRelayEdit wanted) {
    return Definitions.of(Definitions.tree(wanted), NotificationRelayEdit.class);
  }

  private static SecretRef named(
      SecretRef given, String field, String name, Map<String, String> values) {
    if (given.getValue() == null) {
      return given;
    }
    if (given.getSecret() != null) {
      throw ApiException.invalidField(field, "has a name and a value").hint(SECRET_HINT);
    }
    values.put(name, given.getValue());
    return new SecretRef().secret(name);
  }

  /**
   * Reads a relay whose secrets are names.
   *
   * @param path of the relay in the body, with a point at its end, or empty
   */
  static NotificationRelay read(UUID id, long version, String path, NotificationRelayEdit wanted) {
    if (OURS.contains(wanted.getName())) {
      throw ApiException.invalidField(path + "name", "is what alerts of Peerlens itself have")
          .hint("Choose another one; rules name it as source.");
    }
    ObjectNode tree = Definitions.tree(wanted);
    tree.properties()
        .forEach(
            entry -> {
              if (entry.getValue().isString()) {
                ScopeReader.storable(path + entry.getKey(), entry.getValue().stringValue());
              }
            });
    return new NotificationRelay(
        id,
        wanted.getName(),
        !Boolean.FALSE.equals(wanted.getEnabled()),
        auth(path + "auth", wanted.getAuth()),
        labels(path + "labels", wanted.getLabels()),
        version);
  }

  private static Auth auth(String path, NotificationRelayAuth auth) {
    boolean basic = auth.getType() == NotificationRelayAuth.TypeEnum.BASIC;
    boolean bearer = auth.getType() == NotificationRelayAuth.TypeEnum.BEARER;
    boolean certificate = auth.getType() == NotificationRelayAuth.TypeEnum.CERTIFICATE;
    List<String> fingerprints = requireNonNullElse(auth.getFingerprints(), List.of());
    List<String> subjects = requireNonNullElse(auth.getSubjects(), List.of());
    onlyFor(basic, auth.getUsername() != null, path + ".username", "basic");
    onlyFor(basic, auth.getPassword() != null, path + ".password", "basic");
    onlyFor(bearer, auth.getToken() != null, path + ".token", "bearer");
    onlyFor(certificate, !fingerprints.isEmpty(), path + ".fingerprints", "certificate");
    onlyFor(certificate, !subjects.isEmpty(), path + ".subjects", "certificate");
    return switch (auth.getType()) {
      case BASIC -> {
        if (auth.getUsername() == null || auth.getUsername().isBlank()) {
          throw ApiException.invalidField(path + ".username", "is missing");
        }
        if (auth.getUsername().contains(":")) {
          throw ApiException.invalidField(path + ".username", "holds a colon")
              .hint("User names of basic authentication end at the first colon.");
        }
        ScopeReader.storable(path + ".username", auth.getUsername());
        yield new NotificationRelay.Basic(
            auth.getUsername(), secret(path + ".password", auth.getPassword()));
      }
      case BEARER -> new NotificationRelay.Bearer(secret(path + ".token", auth.getToken()));
      case CERTIFICATE -> {
        if (fingerprints.isEmpty() && subjects.isEmpty()) {
          throw ApiException.invalidField(path, "names no certificate")
              .hint("Give fingerprints or subjects.");
        }
        yield new NotificationRelay.Certificate(
            fingerprints(path, fingerprints), subjects(path, subjects));
      }
    };
  }

  private static void onlyFor(boolean fits, boolean given, String path, String type) {
    if (given && !fits) {
      throw ApiException.invalidField(path, "belongs to authentication by " + type)
          .hint("Leave it out, or change auth.type.");
    }
  }

  private static io.peerlens.notify.secret.SecretRef secret(
      String path, @Nullable SecretRef secret) {
    if (secret == null || secret.getSecret() == null) {
      throw ApiException.invalidField(path, "is missing").hint(SECRET_HINT);
    }
    return new io.peerlens.notify.secret.SecretRef(secret.getSecret());
  }

  private static Set<String> fingerprints(String path, List<String> given) {
    Set<String> fingerprints = new LinkedHashSet<>();
    for (int i = 0; i < given.size(); i++) {
      String hex = given.get(i).replaceAll("[:\\s]", "").toLowerCase(Locale.ROOT);
      if (!hex.matches("[0-9a-f]{64}")) {
        throw ApiException.invalidField(
                path + ".fingerprints[" + i + "]", "is no SHA-256 fingerprint")
            .hint("64 hex digits: openssl x509 -noout -fingerprint -sha256 -in client.pem");
      }
      fingerprints.add(hex);
    }
    return fingerprints;
  }

  private static Set<X500Principal> subjects(String path, List<String> given) {
    Set<X500Principal> subjects = new LinkedHashSet<>();
    for (int i = 0; i < given.size(); i++) {
      String field = path + ".subjects[" + i + "]";
      ScopeReader.storable(field, given.get(i));
      try {
        X500Principal subject = new X500Principal(given.get(i));
        if (subject.getName().isEmpty()) {
          throw new IllegalArgumentException("empty");
        }
        subjects.add(subject);
      } catch (IllegalArgumentException e) {
        throw ApiException.invalidField(field, "is no subject of a certificate")
            .hint("For instance CN=vrops,O=Example: openssl x509 -noout -subject -nameopt RFC2253");
      }
    }
    return subjects;
  }

  private static Labels labels(String path, @Nullable RelayLabels given) {
    if (given == null) {
      return Labels.USUAL;
    }
    Map<String, String> severities = new HashMap<>();
    requireNonNullElse(given.getSeverities(), Map.<String, Severity>of())
        .forEach(
            (value, severity) -> {
              ScopeReader.storable(path + ".severities", value);
              severities.put(value.toLowerCase(Locale.ROOT), severity.name());
            });
    List<String> object = requireNonNullElse(given.getObject(), List.<String>of());
    object.forEach(label -> ScopeReader.storable(path + ".object", label));
    if (given.getObjectKind() != null) {
      ScopeReader.storable(path + ".objectKind", given.getObjectKind());
    }
    return new Labels(
        requireNonNullElse(given.getSeverity(), Labels.USUAL.severity()),
        severities,
        object.isEmpty() ? Labels.USUAL.object() : object,
        given.getObjectKind() == null || given.getObjectKind().isBlank()
            ? null
            : given.getObjectKind().strip());
  }
}
