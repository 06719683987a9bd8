package io.peerlens.scope;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.GroupsApi;
import io.peerlens.api.model.GroupEdit;
import io.peerlens.api.model.GroupPage;
import io.peerlens.api.model.GroupVersion;
import io.peerlens.api.model.GroupVersionPage;
import io.peerlens.api.model.ObjectRefPage;
import io.peerlens.api.model.ScopeMatch;
import io.peerlens.api.model.ScopeMatchRequest;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.RuleVersion;
import io.peerlens.definition.StoredRule;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.scope.ScopeMemberQueries.Member;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.web.Cursor;
import io.peerlens.web.Page;
import io.peerlens.web.Paging;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class GroupsController implements GroupsApi {

  private final GroupStore store;
  private final GroupService service;
  private final ScopeMemberQueries members;
  private final DefinitionEndpoints<GroupEdit, Group, io.peerlens.api.model.Group> endpoints;

  GroupsController(GroupStore store, GroupService service, ScopeMemberQueries members) {
    this.store = store;
    this.service = service;
    this.members = members;
    this.endpoints =
        new DefinitionEndpoints<>(
            service, one -> answer(one, members.count(one.rule().scope(), null)));
  }

  @Heavy(HeavyWork.PREVIEW)
  @Override
  public ResponseEntity<ScopeMatch> matchScope(ScopeMatchRequest request) {
    Scope scope = ScopeReader.scope("scope", request.getScope());
    ObjectKind kind =
        request.getObjectKind() == null
            ? null
            : ScopeReader.kind("objectKind", request.getObjectKind());
    int limit = requireNonNullElse(request.getLimit(), 20);
    return ResponseEntity.ok(
        new ScopeMatch(
            members.count(scope, kind),
            members.list(scope, kind, limit, null, 0).stream().map(Member::reference).toList()));
  }

  @Override
  public ResponseEntity<GroupPage> listGroups(
      @Nullable String q, Integer limit, @Nullable String cursor) {
    List<String> words = Paging.words(q);
    Page<StoredRule<GroupEdit, Group>> page =
        Paging.page(
            store.byId().values().stream()
                .filter(one -> Paging.holds(words, one.name(), one.rule().description()))
                .toList(),
            one -> Paging.byName(one.name(), one.id()),
            "groups " + words,
            limit,
            cursor);
    long[] counts = members.counts(page.items().stream().map(one -> one.rule().scope()).toList());
    List<io.peerlens.api.model.Group> answers = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      answers.add(answer(page.items().get(i), counts[i]));
    }
    return ResponseEntity.ok(new GroupPage(answers, page.nextCursor(), page.total()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Group> createGroup(GroupEdit wanted) {
    return endpoints.create(wanted);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Group> getGroup(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Group> putGroup(
      UUID id, GroupEdit wanted, @Nullable String ifMatch) {
    return endpoints.put(id, wanted, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deleteGroup(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
  }

  private static io.peerlens.api.model.Group answer(
      StoredRule<GroupEdit, Group> group, long count) {
    return new io.peerlens.api.model.Group(
        group.id(),
        group.name(),
        group.rule().description(),
        group.edit().getScope(),
        count,
        group.version(),
        group.createdAt(),
        group.createdBy(),
        group.updatedAt(),
        group.updatedBy());
  }

  @Override
  public ResponseEntity<GroupVersionPage> listGroupHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(id, limit, cursor, GroupVersion::new, GroupVersionPage::new);
  }

  private static GroupVersion version(RuleVersion<GroupEdit, Group> version) {
    return new GroupVersion(
        version.stored().version(),
        version.action().inApi(),
        version.at(),
        version.by(),
        version.stored().edit(),
        version.changes());
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Group> restoreGroup(
      UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }

  @Override
  public ResponseEntity<ObjectRefPage> listMembers(
      UUID id, Integer limit, @Nullable String cursor) {
    Scope scope = service.get(id).rule().scope();
    String of = "members " + id;
    List<String> keys = cursor == null ? null : Cursor.keys(cursor, of, 2);
    List<Member> page =
        members.list(
            scope,
            null,
            limit + 1,
            keys == null ? null : keys.getFirst(),
            keys == null ? 0 : Integer.parseInt(keys.get(1)));
    boolean more = page.size() > limit;
    List<Member> shown = more ? page.subList(0, limit) : page;
    return ResponseEntity.ok(
        new ObjectRefPage(
            shown.stream().map(Member::reference).toList(),
            more
                ? Cursor.after(of, shown.getLast().sortKey(), String.valueOf(shown.getLast().id()))
                : null,
            members.count(scope, null)));
  }
}
