package io.peerlens.alert;

import io.peerlens.api.model.AlertDefinitionEdit;
import io.peerlens.api.model.Impact;
import io.peerlens.definition.StoredRule;
import io.peerlens.web.Paging;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Filter of the list of alert definitions; null and empty lists do not filter. */
record AlertDefinitionFilter(
    @Nullable String q,
    @Nullable List<String> adapterKinds,
    @Nullable List<String> objectKinds,
    @Nullable UUID threshold,
    @Nullable Boolean enabled,
    @Nullable List<Impact> impacts,
    @Nullable List<String> packs,
    @Nullable List<String> tags) {

  boolean matches(StoredRule<AlertDefinitionEdit, AlertDefinition> stored) {
    AlertDefinition definition = stored.rule();
    AlertDefinitionEdit edit = stored.edit();
    return is(adapterKinds, definition.kind().adapterKind())
        && is(objectKinds, definition.kind().objectKind())
        && (threshold == null || definition.thresholds().contains(threshold))
        && (enabled == null || enabled == definition.enabled())
        && (impacts == null || impacts.isEmpty() || impacts.contains(edit.getImpact()))
        && (stored.pack() == null ? packs == null || packs.isEmpty() : is(packs, stored.pack()))
        && (tags == null
            || tags.isEmpty()
            || edit.getTags() != null && edit.getTags().stream().anyMatch(tag -> is(tags, tag)))
        && words(stored);
  }

  private static boolean is(@Nullable List<String> wanted, String value) {
    return wanted == null
        || wanted.isEmpty()
        || wanted.stream().anyMatch(one -> one.equalsIgnoreCase(value));
  }

  private boolean words(StoredRule<AlertDefinitionEdit, AlertDefinition> stored) {
    AlertDefinitionEdit edit = stored.edit();
    List<@Nullable String> texts = new ArrayList<>(stored.rule().recommendations());
    texts.addAll(Paging.list(edit.getTags()));
    texts.addAll(Arrays.asList(stored.name(), stored.id().toString(), edit.getDescription()));
    return Paging.holds(Paging.words(q), texts.toArray(String[]::new));
  }
}
