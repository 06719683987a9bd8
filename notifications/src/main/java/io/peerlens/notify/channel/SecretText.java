package io.peerlens.notify.channel;

import io.peerlens.alerttemplates.SecretMarks;
import io.peerlens.notify.secret.SecretRef;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text of a target that may name secrets, for instance the URL {@code
 * https://hooks.example.com/${secret:chat-path}}, whose path is the key to it.
 *
 * @param source as written
 */
public record SecretText(String source) {

  private static final Pattern PLACE = Pattern.compile("\\$\\{secret:([^}]*)}");

  public SecretText {
    Matcher places = PLACE.matcher(source);
    while (places.find()) {
      if (!SecretRef.isName(places.group(1))) {
        throw new IllegalArgumentException("No name of a secret: " + places.group());
      }
    }
  }

  /** With marks in the place of secrets, as templates write them. */
  public String marked() {
    return PLACE
        .matcher(source.replaceAll("[\\uE000\\uE001]", ""))
        .replaceAll(place -> Matcher.quoteReplacement(SecretMarks.mark(place.group(1))));
  }

  /** For people. */
  public String shown() {
    return SecretMarks.show(marked());
  }

  /** With the values of the secrets. */
  public String resolve(UnaryOperator<String> values) {
    return PLACE
        .matcher(source)
        .replaceAll(place -> Matcher.quoteReplacement(values.apply(place.group(1))));
  }

  /** Names of the secrets in it. */
  public Set<String> secrets() {
    return PLACE
        .matcher(source)
        .results()
        .map(place -> place.group(1))
        .collect(java.util.stream.Collectors.toUnmodifiableSet());
  }

  @Override
  public String toString() {
    return source;
  }
}
