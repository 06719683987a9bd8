package io.peerlens.inventory;

import io.peerlens.api.ObjectsApi;
import io.peerlens.api.model.AncestorList;
import io.peerlens.api.model.ChangePage;
import io.peerlens.api.model.ManagedObject;
import io.peerlens.api.model.ObjectMetricList;
import io.peerlens.api.model.ObjectPage;
import io.peerlens.api.model.ObjectQuery;
import io.peerlens.api.model.ObjectSort;
import io.peerlens.api.model.TreePage;
import io.peerlens.web.ApiException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class ObjectsController implements ObjectsApi {

  /** As in the contract; a body may say null. */
  private static final int DEFAULT_LIMIT = 100;

  private final ObjectQueries objects;
  private final ObjectTreeQueries tree;
  private final ObjectMetricQueries metrics;
  private final ChangesController changes;

  ObjectsController(
      ObjectQueries objects,
      ObjectTreeQueries tree,
      ObjectMetricQueries metrics,
      ChangesController changes) {
    this.objects = objects;
    this.tree = tree;
    this.metrics = metrics;
    this.changes = changes;
  }

  @Override
  public ResponseEntity<ObjectPage> listObjects(
      @Nullable List<String> adapterKind,
      @Nullable List<String> objectKind,
      @Nullable String name,
      @Nullable List<String> tag,
      @Nullable List<String> property,
      @Nullable UUID parent,
      @Nullable UUID ancestor,
      @Nullable String q,
      @Nullable Boolean silent,
      @Nullable Boolean removed,
      Boolean withPath,
      @Nullable ObjectSort sort,
      Integer limit,
      @Nullable String cursor) {
    ObjectQuery query =
        new ObjectQuery()
            .adapterKind(adapterKind)
            .objectKind(objectKind)
            .name(name)
            .tag(tag)
            .property(property)
            .parent(parent)
            .ancestor(ancestor)
            .q(q)
            .silent(silent)
            .removed(removed)
            .sort(sort);
    ObjectFilter filter = ObjectFilter.of(query, ApiException::invalidParameter);
    return ResponseEntity.ok(objects.find(filter, limit, cursor, withPath));
  }

  @Override
  public ResponseEntity<ObjectPage> queryObjects(ObjectQuery query) {
    ObjectFilter filter = ObjectFilter.of(query, ApiException::invalidField);
    return ResponseEntity.ok(
        objects.find(
            filter,
            Objects.requireNonNullElse(query.getLimit(), DEFAULT_LIMIT),
            query.getCursor(),
            Boolean.TRUE.equals(query.getWithPath())));
  }

  @Override
  public ResponseEntity<TreePage> listTree(
      @Nullable UUID parent, Integer limit, @Nullable String cursor) {
    if (parent != null) {
      require(parent);
    }
    return ResponseEntity.ok(tree.children(parent, limit, cursor));
  }

  @Override
  public ResponseEntity<ManagedObject> getObject(UUID id) {
    return ResponseEntity.ok(
        objects.get(id).orElseThrow(() -> ApiException.notFound("object", id)));
  }

  @Override
  public ResponseEntity<ObjectPage> listParents(
      UUID id, @Nullable List<String> objectKind, Integer limit, @Nullable String cursor) {
    require(id);
    ObjectFilter filter = ObjectFilter.related(null, id, objectKind);
    return ResponseEntity.ok(objects.find(filter, limit, cursor, false));
  }

  @Override
  public ResponseEntity<ObjectPage> listChildren(
      UUID id, @Nullable List<String> objectKind, Integer limit, @Nullable String cursor) {
    require(id);
    ObjectFilter filter = ObjectFilter.related(id, null, objectKind);
    return ResponseEntity.ok(objects.find(filter, limit, cursor, false));
  }

  @Override
  public ResponseEntity<AncestorList> listAncestors(UUID id) {
    return ResponseEntity.ok(new AncestorList(tree.ancestors(require(id))));
  }

  @Override
  public ResponseEntity<ObjectMetricList> listObjectMetrics(
      UUID id, @Nullable String group, Boolean newest) {
    return ResponseEntity.ok(new ObjectMetricList(metrics.metrics(require(id), group, newest)));
  }

  @Override
  public ResponseEntity<ChangePage> listObjectChanges(
      UUID id, @Nullable String from, @Nullable String to, Integer limit, @Nullable String cursor) {
    require(id);
    return changes.list(from, to, id, true, null, limit, cursor);
  }

  private int require(UUID id) {
    return objects.internalId(id).orElseThrow(() -> ApiException.notFound("object", id));
  }
}
