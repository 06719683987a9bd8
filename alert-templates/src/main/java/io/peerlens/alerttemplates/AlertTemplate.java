package io.peerlens.alerttemplates;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Alert template, parsed: how an alert is changed on its way, and what one kind of notification
 * looks like. Immutable and safe to share between threads. templates/README.md describes the
 * language, template.schema.json the file.
 */
public final class AlertTemplate {

  /** What a document may have at most, in characters. */
  public static final int MAX_LENGTH = 64 * 1024;

  static final YAMLMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final TemplateReader.Parts parts;
  private final JsonNode document;
  private final String hash;

  private AlertTemplate(TemplateReader.Parts parts, JsonNode document) {
    this.parts = parts;
    this.document = document;
    this.hash = sha256(sorted(document).toString());
  }

  /** Variable of a template, set by the rule that uses it. */
  public record Var(String name, String type, String description, JsonNode instead) {}

  /**
   * Reads a template. What can be wrong with it is found here: rendering fails only where values do
   * not fit.
   *
   * @param yaml text of a template.yaml; JSON is YAML, too
   * @throws TemplateException naming the places of all mistakes
   */
  public static AlertTemplate parse(String yaml) {
    if (yaml.length() > MAX_LENGTH) {
      throw tooLong();
    }
    try {
      return read(YAML.readTree(yaml));
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      String where =
          at == null ? "" : " in line " + at.getLineNr() + ", column " + at.getColumnNr();
      String said = String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("");
      String hint =
          said.startsWith("mapping values")
              ? "; put a text that holds a colon and a blank into quotes"
              : "";
      throw new TemplateException("", "not YAML" + where + ": " + said + hint, e);
    }
  }

  /**
   * Reads a template, as {@link #parse} does. The order of members is the order of what is
   * rendered, which some receivers of XML count on.
   *
   * @throws TemplateException naming the places of all mistakes
   */
  public static AlertTemplate read(JsonNode document) {
    JsonNode own = document.deepCopy();
    if (own.toString().length() > MAX_LENGTH) {
      throw tooLong();
    }
    return new AlertTemplate(new TemplateReader(own).read(), own);
  }

  private static TemplateException tooLong() {
    return new TemplateException(
        "", "the template is longer than the " + MAX_LENGTH / 1024 + " KB that one may have");
  }

  /** The document, as it can be read again. */
  public JsonNode toJson() {
    return document.deepCopy();
  }

  /** The document as YAML. */
  public String toYaml() {
    return YAML.writeValueAsString(document);
  }

  /** Names the template, also in rules and in the record of what was delivered. */
  public String id() {
    return parts.id();
  }

  /** Semantic version of the template's text. */
  public String version() {
    return parts.version();
  }

  /** What it is for, in a sentence. */
  public String description() {
    return parts.description();
  }

  /**
   * Who it is for, by a name of {@link ReceiverCheck#receivers()} or another; null = it does not
   * say.
   */
  public @Nullable String receiver() {
    return parts.receiver();
  }

  /**
   * SHA-256 of the document as lower-case hex: the same for YAML and JSON of one content, in
   * whatever order members are kept.
   */
  public String hash() {
    return hash;
  }

  /** json, xml, form, text, html, mail or snmp. */
  public String format() {
    return parts.format();
  }

  /** The type of the targets that it fits: webhook, email or snmp. */
  public String targetType() {
    return switch (parts.format()) {
      case "mail" -> "email";
      case "snmp" -> "snmp";
      default -> "webhook";
    };
  }

  /** What a rule may tell it, in the order of the document. */
  public List<Var> vars() {
    return parts.vars();
  }

  /** Names of the vars whose values name secrets. */
  public Set<String> secretVars() {
    return Set.copyOf(parts.secretVars());
  }

  /** What it looks at beyond the alert; of secrets in vars, the one that it takes by default. */
  public Needs needs() {
    return parts.needs();
  }

  /** Its steps as sentences for people, in their order. */
  public List<String> words() {
    return parts.steps().stream().map(Step::words).toList();
  }

  /**
   * Runs the steps.
   *
   * @param context the alert, its object and the rest, see context.schema.json; not changed
   * @param lookups the tables that {@link Needs#lookups} names
   */
  public Modified modify(JsonNode context, Lookups lookups) {
    return modify(context, lookups, -1);
  }

  /**
   * Whether a message would be another one without a step. A step may set a field that nothing
   * reads.
   *
   * @param step its place, from 0
   * @param context as for {@link #modify}
   * @param message what came out with all steps
   */
  public boolean isSeen(int step, JsonNode context, Lookups lookups, Message message) {
    Modified without = modify(context, lookups, step);
    if (without.dropped() || without.failure() != null) {
      return true;
    }
    try {
      return !render(without.context()).equals(message);
    } catch (TemplateException e) {
      return true;
    }
  }

  /**
   * Runs the steps.
   *
   * @param left the place of a step that is left out, from 0; -1 = none
   */
  private Modified modify(JsonNode context, Lookups lookups, int left) {
    ObjectNode own = (ObjectNode) SecretMarks.clean(withVars(context));
    List<StepResult> results = new ArrayList<>();
    for (Step step : parts.steps()) {
      if (step.index() == left) {
        continue;
      }
      Step.Done done = step.run(own, lookups);
      results.add(done.result());
      if (done.dropped()) {
        return new Modified(own, true, null, results);
      }
      if (done.stopped()) {
        String failure =
            "step " + (step.index() + 1) + " (" + step.words() + "): " + done.result().error();
        return new Modified(own, false, failure, results);
      }
    }
    return new Modified(own, false, null, results);
  }

  /**
   * What is sent.
   *
   * @param context the alert, its object and the rest, see context.schema.json; after {@link
   *     #modify} for a template with steps; not changed
   * @throws TemplateException if a value does not fit its filter, the result grows too large, or
   *     there is nothing to send
   */
  public Message render(JsonNode context) {
    return parts.body().render(new Rendering(withVars(context)));
  }

  /** A rule need not give what has a default. */
  private JsonNode withVars(JsonNode context) {
    if (parts.vars().isEmpty()) {
      return context;
    }
    ObjectNode vars = JsonNodeFactory.instance.objectNode();
    parts.vars().forEach(v -> vars.set(v.name(), v.instead()));
    for (Map.Entry<String, JsonNode> given : context.path("vars").properties()) {
      if (!given.getValue().isNull()) {
        vars.set(given.getKey(), given.getValue());
      }
    }
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    context.properties().forEach(e -> all.set(e.getKey(), e.getValue()));
    all.set("vars", vars);
    return all;
  }

  private static JsonNode sorted(JsonNode node) {
    JsonNodeFactory make = JsonNodeFactory.instance;
    if (node.isArray()) {
      ArrayNode array = make.arrayNode();
      node.forEach(element -> array.add(sorted(element)));
      return array;
    }
    if (!node.isObject()) {
      return node;
    }
    ObjectNode object = make.objectNode();
    for (String name : new TreeSet<>(node.propertyNames())) {
      object.set(name, sorted(node.path(name)));
    }
    return object;
  }

  static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
