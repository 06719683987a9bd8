package io.peerlens.outlier.result;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.OutlierGroupsApi;
import io.peerlens.api.model.OutlierAcceptance;
import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierGroupPage;
import io.peerlens.api.model.OutlierGroupSort;
import io.peerlens.api.model.OutlierGroupState;
import io.peerlens.api.model.OutlierGroupVersion;
import io.peerlens.api.model.OutlierGroupVersionPage;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.OutlierGroupService;
import io.peerlens.outlier.group.OutlierGroupStore;
import io.peerlens.web.Page;
import io.peerlens.web.Paging;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class OutlierGroupsController implements OutlierGroupsApi {

  private final OutlierGroupStore store;
  private final OutlierGroupService service;
  private final GroupStateQueries states;
  private final OutlierGroupAnswers answers;
  private final DefinitionEndpoints<
          OutlierGroupEdit, OutlierGroup, io.peerlens.api.model.OutlierGroup>
      endpoints;

  OutlierGroupsController(
      OutlierGroupStore store,
      OutlierGroupService service,
      GroupStateQueries states,
      OutlierGroupAnswers answers) {
    this.store = store;
    this.service = service;
    this.states = states;
    this.answers = answers;
    this.endpoints = new DefinitionEndpoints<>(service, one -> answers.of(List.of(one)).getFirst());
  }

  @Override
  public ResponseEntity<OutlierGroupPage> listOutlierGroups(
      @Nullable String q,
      @Nullable List<String> adapterKind,
      @Nullable List<String> objectKind,
      @Nullable List<OutlierGroupState> state,
      @Nullable Boolean enabled,
      @Nullable UUID member,
      @Nullable UUID ancestor,
      @Nullable OutlierGroupSort sort,
      Integer limit,
      @Nullable String cursor) {
    OutlierGroupFilter filter =
        new OutlierGroupFilter(
            Paging.words(q),
            Paging.list(adapterKind),
            Paging.list(objectKind),
            Paging.list(state),
            enabled,
            member,
            ancestor,
            requireNonNullElse(sort, OutlierGroupSort.STATE));
    List<StoredRule<OutlierGroupEdit, OutlierGroup>> matching =
        store.byId().values().stream().filter(filter::matches).toList();
    if (member != null) {
      Set<UUID> of = states.groupsOf(member);
      matching = matching.stream().filter(one -> of.contains(one.id())).toList();
    }
    if (ancestor != null) {
      Set<UUID> of = states.groupsBelow(ancestor);
      matching = matching.stream().filter(one -> of.contains(one.id())).toList();
    }
    Map<UUID, GroupStateQueries.Brief> brief =
        states.brief(matching.stream().map(StoredRule::rule).toList());
    Page<StoredRule<OutlierGroupEdit, OutlierGroup>> page =
        Page.of(
            matching.stream()
                .filter(
                    one ->
                        filter.states().isEmpty()
                            || filter.states().contains(of(brief, one).state()))
                .toList(),
            one -> filter.keys(one, of(brief, one)),
            3,
            filter.order(),
            filter.toString(),
            limit,
            cursor);
    return ResponseEntity.ok(
        new OutlierGroupPage(answers.of(page.items()), page.nextCursor(), page.total()));
  }

  private static GroupStateQueries.Brief of(
      Map<UUID, GroupStateQueries.Brief> brief, StoredRule<OutlierGroupEdit, OutlierGroup> stored) {
    return requireNonNull(brief.get(stored.id()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.OutlierGroup> acceptOutlierValue(
      UUID id, OutlierAcceptance wanted) {
    service.accept(id, wanted.getKey(), wanted.getValue());
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.OutlierGroup> createOutlierGroup(
      OutlierGroupEdit wanted) {
    return endpoints.create(wanted);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.OutlierGroup> getOutlierGroup(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.OutlierGroup> putOutlierGroup(
      UUID id, OutlierGroupEdit wanted, @Nullable String ifMatch) {
    return endpoints.put(id, wanted, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deleteOutlierGroup(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
  }

  @Override
  public ResponseEntity<OutlierGroupVersionPage> listOutlierGroupHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(
        id, limit, cursor, OutlierGroupVersion::new, OutlierGroupVersionPage::new);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.OutlierGroup> restoreOutlierGroup(
      UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }
}
