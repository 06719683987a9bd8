package io.peerlens.alert;

import io.peerlens.threshold.Severity;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A member as it lies in the column {@code members}; as {@link Member}, null = no number. */
record StoredMember(
    UUID threshold,
    String name,
    int object,
    String instance,
    String key,
    @Nullable String unit,
    int severity,
    @Nullable Double value,
    @Nullable String text,
    String operator,
    @Nullable Double bound,
    @Nullable Double upper,
    Instant since,
    boolean unknown) {

  static StoredMember of(Member member) {
    return new StoredMember(
        member.threshold(),
        member.name(),
        member.objectId(),
        member.instance(),
        member.key(),
        member.unit(),
        member.severity().level(),
        number(member.value()),
        member.text(),
        member.operator(),
        number(member.bound()),
        number(member.upper()),
        member.since(),
        member.unknown());
  }

  /** The same of another instance. */
  StoredMember of(String otherInstance, String otherKey) {
    return new StoredMember(
        threshold,
        name,
        object,
        otherInstance,
        otherKey,
        unit,
        severity,
        value,
        text,
        operator,
        bound,
        upper,
        since,
        unknown);
  }

  /** The same with its unit. */
  StoredMember withUnit(@Nullable String known) {
    return new StoredMember(
        threshold, name, object, instance, key, known, severity, value, text, operator, bound,
        upper, since, unknown);
  }

  /** Which symptom it is, whatever its value. */
  Member.Key identity() {
    return new Member.Key(threshold, object, instance);
  }

  Severity worst() {
    Severity known = Severity.of(severity);
    return known == null ? Severity.INFORMATION : known;
  }

  private static @Nullable Double number(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
