package io.peerlens.standalone;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;

/**
 * Gate of the broker in this process: allows everything to everybody, but closes topics to records
 * while there is no room for them. This is the one place of a broker at which a record can be
 * refused before anything is written for it, whatever acknowledgement its producer waits for.
 *
 * <p>The broker makes it by its name, so the gate is that of the process.
 */
public final class RecordGate implements Authorizer {

  private static volatile boolean closed;

  /** Closes the topics to records, or opens them. */
  static void close(boolean close) {
    closed = close;
  }

  @Override
  public List<AuthorizationResult> authorize(
      AuthorizableRequestContext request, List<Action> actions) {
    return actions.stream()
        .map(
            action ->
                closed && isRecord(action)
                    ? AuthorizationResult.DENIED
                    : AuthorizationResult.ALLOWED)
        .toList();
  }

  private static boolean isRecord(Action action) {
    return action.operation() == AclOperation.WRITE
        && action.resourcePattern().resourceType() == ResourceType.TOPIC;
  }

  @Override
  public Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo server) {
    Map<Endpoint, CompletionStage<Void>> ready = new HashMap<>();
    for (Endpoint endpoint : server.endpoints()) {
      ready.put(endpoint, CompletableFuture.allOf());
    }
    return ready;
  }

  @Override
  public List<? extends CompletionStage<AclCreateResult>> createAcls(
      AuthorizableRequestContext request, List<AclBinding> bindings) {
    throw new UnsupportedOperationException("This broker keeps no rights.");
  }

  @Override
  public List<? extends CompletionStage<AclDeleteResult>> deleteAcls(
      AuthorizableRequestContext request, List<AclBindingFilter> filters) {
    throw new UnsupportedOperationException("This broker keeps no rights.");
  }

  @Override
  public Iterable<AclBinding> acls(AclBindingFilter filter) {
    return List.of();
  }

  @Override
  public void configure(Map<String, ?> settings) {}

  @Override
  public void close() {}
}
