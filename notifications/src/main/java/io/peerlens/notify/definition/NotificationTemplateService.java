package io.peerlens.notify.definition;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.alerttemplates.Lookups;
import io.peerlens.api.model.NotificationTemplateClone;
import io.peerlens.api.model.NotificationTemplateEdit;
import io.peerlens.api.model.RuleRef;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Templates, changed as people ask for it; their examples are run before they are stored. */
final class NotificationTemplateService
    extends DefinitionService<NotificationTemplateEdit, NotificationTemplate> {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final NotificationTemplateStore store;
  private final NotificationTemplates templates;
  private final Lookups lookups;
  private final ObjectProvider<NotificationUser> users;

  NotificationTemplateService(
      NotificationTemplateStore store,
      NotificationTemplates templates,
      NotificationVersionStore number,
      LookupStore lookups,
      InstantSource clock,
      NotificationProperties properties,
      ObjectProvider<NotificationUser> users) {
    super(
        store,
        number,
        clock,
        new DefinitionKind(
            "notification template",
            "/api/v1/notification-templates",
            properties.maxTemplates(),
            "peerlens.notify.definitions.max-templates"),
        () -> List.of(key -> withoutTemplate(store, templates, users, key)));
    this.store = store;
    this.templates = templates;
    this.lookups = lookups;
    this.users = users;
  }

  /** Names of what would be left without a template: a built-in one takes the place of its copy. */
  private static List<String> withoutTemplate(
      NotificationTemplateStore store,
      NotificationTemplates templates,
      ObjectProvider<NotificationUser> users,
      UUID key) {
    return store
        .find(key)
        .map(NotificationTemplate::id)
        .filter(id -> !templates.isBuiltIn(id))
        .map(id -> usersOf(users, id).stream().map(RuleRef::getName).toList())
        .orElse(List.of());
  }

  private static List<RuleRef> usersOf(ObjectProvider<NotificationUser> users, String id) {
    return users.stream().flatMap(user -> user.ofTemplate(id).stream()).toList();
  }

  /** The stored template of an id, or a problem. */
  UUID storedKey(String id) {
    UUID key = NotificationTemplate.key(id);
    if (store.find(key).isEmpty()) {
      if (templates.isBuiltIn(id)) {
        throw ApiException.of(ErrorCode.CONFLICT, "The template " + id + " comes with the product.")
            .hint("Clone it, or store one of your own in its place with PUT.");
      }
      templates.existing(id); // 404
    }
    return key;
  }

  /** Rules and reports that use a template. */
  List<RuleRef> usersOf(String id) {
    return usersOf(users, id);
  }

  String createTemplate(NotificationTemplateEdit wanted) {
    NotificationTemplateEdit edit = normal("", wanted);
    String id = NotificationTemplateReader.read("", edit).id();
    addNew(id, edit);
    return id;
  }

  private void addNew(String id, NotificationTemplateEdit edit) {
    UUID key = NotificationTemplate.key(id);
    if (store.find(key).isPresent()) {
      throw ApiException.of(
              ErrorCode.CONFLICT, "There is a notification template " + id + " already.")
          .field("document.id", "is taken")
          .hint("Choose another id, or change that one with PUT.");
    }
    add(key, edit);
  }

  void change(String id, NotificationTemplateEdit wanted, @Nullable String ifMatch) {
    NotificationTemplateEdit edit = normal("", wanted);
    if (!NotificationTemplateReader.read("", edit).id().equals(id)) {
      throw ApiException.invalidField("document.id", "is not the id of the path")
          .hint("Ids of templates never change; POST stores another one.");
    }
    if (ifMatch == null
        && templates.isBuiltIn(id)
        && store.find(NotificationTemplate.key(id)).isEmpty()) {
      add(NotificationTemplate.key(id), edit);
    } else {
      replace(storedKey(id), edit, ifMatch);
    }
  }

  void delete(String id, @Nullable String ifMatch) {
    delete(storedKey(id), ifMatch);
  }

  String copy(String id, NotificationTemplateClone wanted) {
    NotificationTemplate original = templates.existing(id);
    ObjectNode document = (ObjectNode) original.template().toJson();
    document.put("id", wanted.getId());
    document.put("version", "1.0.0");
    if (wanted.getDescription() != null) {
      document.put("description", wanted.getDescription());
    }
    NotificationTemplateEdit edit = new NotificationTemplateEdit(document);
    store
        .find(NotificationTemplate.key(id))
        .ifPresent(stored -> edit.examples(get(NotificationTemplate.key(id)).edit().getExamples()));
    addNew(wanted.getId(), normal("", edit));
    return wanted.getId();
  }

  /**
   * A definition whose document is text and whose examples come out, or refused.
   *
   * @param path of the template in the body, with a point at its end, or empty
   */
  NotificationTemplateEdit normal(String path, NotificationTemplateEdit wanted) {
    NotificationTemplateEdit edit = asText(path, wanted);
    NotificationTemplate template = NotificationTemplateReader.read(path, edit);
    List<TemplateExample> examples = template.examples();
    for (int i = 0; i < examples.size(); i++) {
      List<String> differences = examples.get(i).differences(template.template(), lookups);
      if (!differences.isEmpty()) {
        String field = path + "examples[" + i + "]";
        ApiException problem = ApiException.invalidField(field, differences.getFirst());
        for (String difference : differences.subList(1, differences.size())) {
          problem = problem.field(field, difference);
        }
        throw problem.hint("Correct the template, or the expected result of the example.");
      }
    }
    return edit;
  }

  /** A definition whose document is text. */
  static NotificationTemplateEdit asText(String path, NotificationTemplateEdit wanted) {
    return new NotificationTemplateEdit(
            NotificationTemplateReader.text(path + "document", wanted.getDocument()))
        .examples(wanted.getExamples());
  }

  /** Whether it still fits the targets of its rules, and may put these secrets into messages. */
  @Override
  protected void check(NotificationTemplate template) {
    String type = template.template().targetType();
    List<RuleRef> rules = usersOf(template.id());
    String was = templates.find(template.id()).map(old -> old.template().targetType()).orElse(type);
    if (!was.equals(type) && !rules.isEmpty()) {
      throw ApiException.of(
              ErrorCode.CONFLICT,
              "The template is for %s, but the rule %s sends it to targets of the type %s."
                  .formatted(type, rules.getFirst().getName(), was))
          .field("document.render.format", "is for targets of another type")
          .hint("Store it under another id, and change the rules.");
    }
    Set<String> before =
        templates
            .find(template.id())
            .map(NotificationTemplate::template)
            .map(AlertTemplate::needs)
            .map(needs -> needs.secrets())
            .orElse(Set.of());
    AdminOnly.requireForSecrets(template.template().needs().secrets(), before);
  }

  /** Documents are compared member by member. */
  @Override
  protected JsonNode comparable(NotificationTemplateEdit edit) {
    return tree(edit);
  }

  /** A definition with its document as a tree. */
  ObjectNode tree(NotificationTemplateEdit edit) {
    ObjectNode tree = JSON.createObjectNode();
    tree.set("document", document(edit));
    if (edit.getExamples() != null && !edit.getExamples().isEmpty()) {
      tree.set("examples", JSON.valueToTree(edit.getExamples()));
    }
    return tree;
  }

  private static JsonNode document(NotificationTemplateEdit edit) {
    return NotificationTemplateReader.template("document", edit.getDocument()).toJson();
  }

  /** A definition for answers: its document is a tree. */
  static NotificationTemplateEdit shown(NotificationTemplateEdit edit) {
    return new NotificationTemplateEdit(document(edit)).examples(edit.getExamples());
  }
}
