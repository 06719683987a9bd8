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
import io.peerlens.definition.DefinitionService.History;
import io.peerlens.definition.RuleVersion;
import io.peerlens.definition.StoredRule;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.scope.MemberQueries.Member;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.web.Cursor;
import io.peerlens.web.Page;
import io.peerlens.web.Versions;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class GroupsController implements GroupsApi {

  /** By name, then by id. */
  private static final Comparator<String[]> ORDER =
      Comparator.<String[], String>comparing(keys -> keys[0]).thenComparing(keys -> keys[1]);

  private final GroupStore store;
  private final GroupService service;
  private final MemberQueries members;

  GroupsController(GroupStore store, GroupService service, MemberQueries members) {
    this.store = store;
    this.service = service;
    this.members = members;
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
    List<String> words =
        q == null || q.isBlank()
            ? List.of()
            : Arrays.asList(q.strip().toLowerCase(Locale.ROOT).split("\\s+"));
    Page<StoredRule<GroupEdit, Group>> page =
        Page.of(
            store.byId().values().stream()
                .filter(group -> words.stream().allMatch(text(group)::contains))
                .toList(),
            group -> new String[] {group.name().toLowerCase(Locale.ROOT), group.id().toString()},
            2,
            ORDER,
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

  private static String text(StoredRule<GroupEdit, Group> group) {
    return (group.name() + "\n" + requireNonNullElse(group.rule().description(), ""))
        .toLowerCase(Locale.ROOT);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Group> createGroup(GroupEdit wanted) {
    UUID id = service.create(wanted);
    StoredRule<GroupEdit, Group> group = service.get(id);
    return ResponseEntity.created(URI.create("/api/v1/groups/" + id))
        .eTag(Versions.tag(group.version()))
        .body(answer(group));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Group> getGroup(UUID id) {
    return one(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Group> putGroup(
      UUID id, GroupEdit wanted, @Nullable String ifMatch) {
    service.change(id, wanted, ifMatch);
    return one(id);
  }

  @Override
  public ResponseEntity<Void> deleteGroup(UUID id, @Nullable String ifMatch) {
    service.delete(id, ifMatch);
    return ResponseEntity.noContent().build();
  }

  private ResponseEntity<io.peerlens.api.model.Group> one(UUID id) {
    StoredRule<GroupEdit, Group> group = service.get(id);
    return ResponseEntity.ok().eTag(Versions.tag(group.version())).body(answer(group));
  }

  private io.peerlens.api.model.Group answer(StoredRule<GroupEdit, Group> group) {
    return answer(group, members.count(group.rule().scope(), null));
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
    History<GroupEdit, Group> history = service.history(id, limit, cursor);
    return ResponseEntity.ok(
        new GroupVersionPage(
            history.items().stream().map(GroupsController::version).toList(),
            history.next(),
            history.total()));
  }

  private static GroupVersion version(RuleVersion<GroupEdit, Group> version) {
    return new GroupVersion(
        version.stored().version(),
        version.action(),
        version.at(),
        version.by(),
        version.stored().edit(),
        version.changes());
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Group> restoreGroup(
      UUID id, Long version, @Nullable String ifMatch) {
    service.restore(id, version, ifMatch);
    return one(id);
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
