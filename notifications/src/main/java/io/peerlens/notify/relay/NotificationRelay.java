package io.peerlens.notify.relay;

import io.peerlens.notify.secret.SecretRef;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * Relay, where another system sends its alerts, as it is stored.
 *
 * @param name part of the URL, and the source of its alerts
 * @param enabled whether anything is taken
 * @param version its ETag, from 1
 */
public record NotificationRelay(
    UUID id, String name, boolean enabled, Auth auth, Labels labels, long version) {

  /** Authentication of senders. */
  sealed interface Auth {

    /** Names of the secrets that it uses. */
    default Set<String> secrets() {
      return switch (this) {
        case Basic basic -> Set.of(basic.password().name());
        case Bearer bearer -> Set.of(bearer.token().name());
        case Certificate certificate -> Set.of();
      };
    }
  }

  record Basic(String username, SecretRef password) implements Auth {}

  record Bearer(SecretRef token) implements Auth {}

  /**
   * A client certificate that is one of these.
   *
   * @param fingerprints SHA-256 in small hex digits
   */
  record Certificate(Set<String> fingerprints, Set<X500Principal> subjects) implements Auth {
    Certificate {
      fingerprints = Set.copyOf(new TreeSet<>(fingerprints));
      subjects = Set.copyOf(subjects);
    }
  }

  /**
   * Meaning of Alertmanager's labels.
   *
   * @param severity the label that says how bad it is
   * @param severities its values, in small letters, as criticalities; before the usual ones
   * @param object labels that name the object, the best one first
   * @param objectKind null = unknown
   */
  record Labels(
      String severity,
      Map<String, String> severities,
      List<String> object,
      @Nullable String objectKind) {

    static final Labels USUAL =
        new Labels(
            "severity",
            Map.of(),
            List.of("vm", "vmname", "host", "hostname", "node", "instance"),
            null);

    Labels {
      severities = Map.copyOf(severities);
      object = List.copyOf(object);
    }
  }
}
