package io.peerlens.inventory;

import io.peerlens.api.KindsApi;
import io.peerlens.api.model.AdapterKind;
import io.peerlens.api.model.AdapterKindList;
import io.peerlens.api.model.KindKeyList;
import io.peerlens.api.model.KindMetricList;
import io.peerlens.api.model.KindValueList;
import io.peerlens.api.model.ObjectKind;
import io.peerlens.api.model.ObjectKindList;
import io.peerlens.web.ApiException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class KindsController implements KindsApi {

  private final KindQueries kinds;

  KindsController(KindQueries kinds) {
    this.kinds = kinds;
  }

  @Override
  public ResponseEntity<AdapterKindList> listAdapterKinds() {
    Map<String, List<ObjectKind>> byAdapter =
        kinds.kinds(null).stream()
            .collect(
                Collectors.groupingBy(
                    ObjectKind::getAdapterKind, LinkedHashMap::new, Collectors.toList()));
    return ResponseEntity.ok(
        new AdapterKindList(
            byAdapter.entrySet().stream()
                .map(entry -> new AdapterKind(entry.getKey(), entry.getValue()))
                .toList()));
  }

  @Override
  public ResponseEntity<ObjectKindList> listObjectKinds(String adapterKind) {
    List<ObjectKind> found = kinds.kinds(adapterKind);
    if (found.isEmpty()) {
      throw ApiException.notFound("adapter kind", adapterKind)
          .hint("GET /api/v1/adapter-kinds lists those that have reported.");
    }
    return ResponseEntity.ok(new ObjectKindList(found));
  }

  @Override
  public ResponseEntity<KindMetricList> listKindMetrics(String adapterKind, String objectKind) {
    exists(adapterKind, objectKind);
    return ResponseEntity.ok(new KindMetricList(kinds.metrics(adapterKind, objectKind)));
  }

  @Override
  public ResponseEntity<KindKeyList> listKindKeys(
      String adapterKind, String objectKind, @Nullable String q, Integer limit) {
    exists(adapterKind, objectKind);
    return ResponseEntity.ok(
        new KindKeyList(kinds.keys(adapterKind, objectKind, q == null ? "" : q, limit)));
  }

  @Override
  public ResponseEntity<KindValueList> listKindValues(
      String adapterKind, String objectKind, String key, @Nullable String q, Integer limit) {
    exists(adapterKind, objectKind);
    return ResponseEntity.ok(
        new KindValueList(kinds.values(adapterKind, objectKind, key, q == null ? "" : q, limit)));
  }

  private void exists(String adapterKind, String objectKind) {
    if (!kinds.exists(adapterKind, objectKind)) {
      throw ApiException.notFound("object kind", adapterKind + "/" + objectKind)
          .hint("GET /api/v1/adapter-kinds lists those that have reported.");
    }
  }
}
