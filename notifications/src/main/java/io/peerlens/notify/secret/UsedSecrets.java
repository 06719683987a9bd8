package io.peerlens.notify.secret;

import io.peerlens.alerttemplates.SecretMarks;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * Secrets of one attempt: hands them out and remembers them, so that they can be cut out of
 * whatever comes back, should a receiver or an error message repeat them. Used by one thread.
 */
public final class UsedSecrets implements SecretValues {

  /** Shorter values cannot be cut out, as they would be found everywhere. */
  public static final int MIN_LENGTH = 4;

  private static final Pattern ESCAPED_BYTE = Pattern.compile("%[0-9A-F]{2}");

  private final SecretValues values;
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, String> known = new LinkedHashMap<>();

  public UsedSecrets(SecretValues values) {
    this.values = values;
  }

  @Override
  public String value(String name) {
    String value = known.get(name);
    if (value == null) {
      value = values.value(name);
      known.put(name, value);
      remember(name, value);
    }
    return value;
  }

  /** Something that was made of a secret and is as good as it, such as a token. */
  public void remember(String name, String value) {
    String shown = SecretMarks.show(SecretMarks.mark(name));
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    String xml = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    String json = new String(JsonStringEncoder.getInstance().quoteAsCharArray(value));
    String url = URLEncoder.encode(value, StandardCharsets.UTF_8);
    List<String> forms =
        List.of(
            value,
            value.strip(),
            json,
            json.replace("/", "\\/"), // as some servers write it
            url,
            url.replace("+", "%20"),
            ESCAPED_BYTE.matcher(url).replaceAll(hex -> hex.group().toLowerCase(Locale.ROOT)),
            xml,
            xml.replace("\"", "&quot;"),
            xml.replace("\"", "&quot;").replace("'", "&#39;"),
            xml.replace("\"", "&quot;").replace("'", "&apos;"),
            Base64.getEncoder().encodeToString(bytes),
            Base64.getEncoder().withoutPadding().encodeToString(bytes),
            Base64.getUrlEncoder().withoutPadding().encodeToString(bytes),
            HexFormat.of().formatHex(bytes),
            HexFormat.of().withUpperCase().formatHex(bytes));
    for (String form : forms) {
      if (form.length() >= MIN_LENGTH) {
        names.put(form, shown);
      }
    }
  }

  /** The text with names in the place of all secrets that were handed out. */
  public String redact(String text) {
    String clean = text;
    for (String form :
        names.keySet().stream()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList()) {
      clean = clean.replace(form, names.get(form));
    }
    return clean;
  }

  /** The message of an exception, or its kind, without secrets. */
  public String redact(Throwable failure) {
    @Nullable String message = failure.getMessage();
    return redact(
        message == null || message.isBlank() ? failure.getClass().getSimpleName() : message);
  }

  @Override
  public String toString() {
    return "UsedSecrets" + known.keySet();
  }
}
