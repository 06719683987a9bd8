package io.peerlens.alert;

import io.peerlens.api.HealthApi;
import io.peerlens.api.model.ObjectHealth;
import io.peerlens.api.model.ObjectHealthList;
import io.peerlens.api.model.ObjectHealthQuery;
import io.peerlens.web.ApiException;
import java.util.List;
import java.util.UUID;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class HealthController implements HealthApi {

  private final HealthQueries queries;

  HealthController(HealthQueries queries) {
    this.queries = queries;
  }

  @Override
  public ResponseEntity<ObjectHealth> getObjectHealth(UUID id) {
    return queries.of(List.of(id)).stream()
        .findFirst()
        .map(ResponseEntity::ok)
        .orElseThrow(() -> ApiException.notFound("object", id));
  }

  @Override
  public ResponseEntity<ObjectHealthList> queryObjectHealth(ObjectHealthQuery query) {
    return ResponseEntity.ok(new ObjectHealthList(queries.of(query.getIds())));
  }
}
