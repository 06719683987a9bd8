package io.peerlens.notify.definition;

import static java.util.Objects.requireNonNullElse;

import com.google.re2j.Pattern;
import io.peerlens.alerttemplates.Condition;
import io.peerlens.alerttemplates.UserPattern;
import io.peerlens.api.model.SilenceEdit;
import io.peerlens.notify.definition.Silence.Matcher;
import io.peerlens.notify.definition.Silence.Operator;
import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeReader;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Silences of the API as records. */
final class SilenceReader {

  private SilenceReader() {}

  /**
   * Reads a silence.
   *
   * @param path of the silence in the body, with a point at its end, or empty
   */
  static Silence read(UUID id, String path, SilenceEdit wanted) {
    Scope scope =
        wanted.getScope() == null ? null : ScopeReader.scope(path + "scope", wanted.getScope());
    Condition when =
        wanted.getWhen() == null ? null : CelConditions.compile(path + "when", wanted.getWhen());
    List<Matcher> matchers = matchers(path + "matchers", wanted.getMatchers());
    Set<String> alerts =
        requireNonNullElse(wanted.getAlerts(), List.<UUID>of()).stream()
            .map(UUID::toString)
            .collect(Collectors.toSet());
    if (alerts.isEmpty()
        && matchers.isEmpty()
        && when == null
        && (scope == null || scope.equals(Scope.ALL))) {
      throw ApiException.invalidField(
              path + "matchers",
              "is empty, and so are alerts, scope and when: it would silence everything")
          .hint(
              "Say which alerts, for instance {\"path\": \"object.tags.env\", \"operator\":"
                  + " \"equals\", \"value\": \"lab\"}.");
    }
    if (wanted.getComment().isBlank()) {
      throw ApiException.invalidField(path + "comment", "is blank").hint("Say why.");
    }
    Instant from = Moments.field(path + "from", Objects.requireNonNull(wanted.getFrom()));
    Instant to = Moments.field(path + "to", wanted.getTo());
    if (to.isBefore(from)) {
      throw ApiException.invalidField(path + "to", "is before from");
    }
    return new Silence(
        id,
        ScopeReader.storable(path + "comment", wanted.getComment()),
        alerts,
        matchers,
        scope,
        when,
        from,
        to);
  }

  private static List<Matcher> matchers(
      String path, @Nullable List<io.peerlens.api.model.SilenceMatcher> wanted) {
    List<Matcher> matchers = new ArrayList<>();
    if (wanted != null) {
      for (io.peerlens.api.model.SilenceMatcher one : wanted) {
        String at = path + "[" + matchers.size() + "]";
        Operator operator = Operator.valueOf(one.getOperator().name());
        boolean plain = operator == Operator.EQUALS || operator == Operator.NOT_EQUALS;
        matchers.add(
            new Matcher(
                Paths.names(at + ".path", one.getPath()),
                operator,
                ScopeReader.storable(at + ".value", one.getValue()),
                plain ? null : pattern(at + ".value", one.getValue())));
      }
    }
    return matchers;
  }

  private static Pattern pattern(String path, String text) {
    try {
      return UserPattern.compile(text);
    } catch (UserPattern.InvalidPatternException e) {
      throw ApiException.invalidField(path, e.reason()).hint(e.hint());
    }
  }
}
