package io.peerlens.notify.definition;

import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.definition.Definitions;
import io.peerlens.notify.definition.SecretKeepingService.Split;
import io.peerlens.web.ApiException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finder of plain secrets in a target, which puts names in their place: values that were sent for a
 * {@code {secret: NAME}}, headers that carry credentials, and those parts of URLs that whoever
 * knows them may post with, as chat systems have them.
 *
 * <p>The names are made of the target's id and the place, so a value that is sent again takes the
 * place of the last one.
 */
final class PlainSecrets {

  private static final int LONGEST_NAME = 64;

  private static final Pattern REFERENCE = Pattern.compile("\\$\\{secret:[^}]*}");

  /** A reference before the path, other than one that stands for the URL or its beginning. */
  private static final Pattern SECRET_HOST =
      Pattern.compile("^(?:[A-Za-z0-9+.-]+://[^/?#]*\\$\\{secret:|\\$\\{secret:[^}]*}(?![/?#]|$))");

  private static final Pattern HEADER =
      Pattern.compile("(?i).*(authorization|cookie|token|secret|password|api-?key|credential).*");

  private static final Pattern PARAMETER =
      Pattern.compile(
          "(?i)(?<=[?&])(sig|signature|token|access_token|key|api_?key|apikey|auth|code|secret"
              + "|password|pwd|routing_key|integration_key)=([^&#]+)");

  /** Hosts whose whole path, behind what is the same for everybody, is a secret. */
  private static final Pattern SECRET_PATH =
      Pattern.compile(
          "(?i)^https://(?:hooks\\.slack\\.com/(?:services|workflows|triggers)"
              + "|[^/]*\\.webhook\\.office\\.com/webhookb2"
              + "|(?:[^/]*\\.)?discord(?:app)?\\.com/api/webhooks"
              + "|chat\\.googleapis\\.com/v1/spaces"
              + "|outlook\\.office\\.com/webhook)/([^?#]+)");

  /** A part of a path that nobody would make up: long, with letters and digits. */
  private static final Pattern RANDOM_PART =
      Pattern.compile("(?<=/)(?=[^/?#]*[0-9])(?=[^/?#]*[A-Za-z])([A-Za-z0-9_~=-]{20,})(?=[/?#]|$)");

  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final String prefix;
  private final String path;
  private final Map<String, String> found = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();

  private PlainSecrets(UUID id, String path) {
    this.prefix = "target-" + id.toString().substring(0, 13);
    this.path = path;
  }

  /**
   * Splits a target from its secrets.
   *
   * @param path of the target in the body, with a point at its end, or empty
   */
  static Split<NotificationTargetEdit> split(UUID id, String path, NotificationTargetEdit wanted) {
    PlainSecrets secrets = new PlainSecrets(id, path);
    ObjectNode tree = Definitions.tree(wanted);
    secrets.references("", tree);
    if (tree.get("webhook") instanceof ObjectNode webhook) {
      secrets.url("webhook.url", webhook, "url");
      if (webhook.get("auth") instanceof ObjectNode auth && auth.has("tokenUrl")) {
        secrets.url("webhook.auth.tokenUrl", auth, "tokenUrl");
      }
      if (webhook.get("proxy") instanceof ObjectNode proxy && proxy.has("url")) {
        secrets.refuseUser("webhook.proxy.url", proxy.path("url").asString(""), "secret");
      }
      for (JsonNode header : webhook.path("headers")) {
        secrets.header((ObjectNode) header);
      }
    }
    return new Split<>(Definitions.of(tree, NotificationTargetEdit.class), secrets.found);
  }

  /** Every object that can only be a reference: it has nothing but a name or a value. */
  private void references(String field, JsonNode node) {
    if (node instanceof ObjectNode object) {
      boolean named = object.path("secret").isString();
      boolean given = object.path("value").isString();
      boolean isReference =
          (named || given) && object.size() <= 2 && !object.has("name") && !object.has("url");
      if (isReference && named && given) {
        throw ApiException.invalidField(path + field, "has a name and a value")
            .hint("Give secret, the name of a stored one, or value.");
      }
      if (isReference && given) {
        object.put("secret", keep(field, object.path("value").stringValue()));
        object.remove("value");
      } else if (object.isEmpty() && isSecret(field)) {
        throw ApiException.invalidField(path + field, "has neither a name nor a value")
            .hint("Give secret, the name of a stored one, or value.");
      } else if (!isReference) {
        for (Map.Entry<String, JsonNode> member : List.copyOf(object.properties())) {
          references(
              field.isEmpty() ? member.getKey() : field + "." + member.getKey(), member.getValue());
        }
      }
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        references(field + "[" + i + "]", array.get(i));
      }
    }
  }

  private static boolean isSecret(String field) {
    return field.matches(
        ".*(password|token|clientSecret|keyStore|secret|secrets\\[\\d+]|community|Password)$");
  }

  private void header(ObjectNode header) {
    String name = header.path("name").asString("");
    String value = header.path("value").asString("");
    if (HEADER.matcher(name).matches() && !value.isBlank() && !REFERENCE.matcher(value).find()) {
      header.put("value", reference(keep("header-" + name, value)));
    }
  }

  private void url(String field, ObjectNode in, String member) {
    String url = in.path(member).asString("");
    refuseUser(field, url, "auth");
    if (SECRET_HOST.matcher(url).find()) {
      throw ApiException.invalidField(path + field, "has a secret in the name of its host")
          .hint(
              "Names are looked up in clear; put the secret into the path, the query or a header.");
    }
    String rest = replaced(SECRET_PATH, 1, url, "path");
    rest = replaced(PARAMETER, 2, rest, "query");
    in.put(member, replaced(RANDOM_PART, 1, rest, "path"));
  }

  private void refuseUser(String field, String url, String instead) {
    if (url.matches("(?i)^[a-z0-9]+://[^/?#]*@.*")) {
      throw ApiException.invalidField(path + field, "holds a user")
          .hint("Give user and password as " + instead + ".");
    }
  }

  /** The text with a reference in the place of one group of every find. */
  private String replaced(Pattern pattern, int group, String url, String part) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    List<MatchResult> finds = new ArrayList<>(pattern.matcher(url).results().toList());
    for (MatchResult find : finds) {
      String value = find.group(group);
      if (REFERENCE.matcher(value).find()
          || UUID_TEXT.matcher(value).matches()
          || isWithinReference(url, find.start(group))) {
        continue;
      }
      text.append(url, at, find.start(group)).append(reference(keep("url-" + part, value)));
      at = find.end(group);
    }
    return text.append(url, at, url.length()).toString();
  }

  private static boolean isWithinReference(String url, int at) {
    return REFERENCE
        .matcher(url)
        .results()
        .anyMatch(reference -> reference.start() <= at && at < reference.end());
  }

  private static String reference(String name) {
    return "${secret:" + name + "}";
  }

  private String keep(String place, String value) {
    String last = place.replaceFirst("^(webhook|email|snmp)\\.", "");
    String words =
        last.replaceAll("([a-z])([A-Z])", "$1-$2")
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "-")
            .replaceAll("^-|-$", "");
    String name = prefix + "-" + words;
    name = name.substring(0, Math.min(LONGEST_NAME - 3, name.length()));
    String unique = name;
    for (int i = 2; !names.add(unique); i++) {
      unique = name + "-" + i;
    }
    found.put(unique, value);
    return unique;
  }
}
