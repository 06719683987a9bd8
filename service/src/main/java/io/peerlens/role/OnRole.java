package io.peerlens.role;

import io.peerlens.node.Role;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Condition that reads {@code peerlens.roles} before any bean exists. */
final class OnRole implements Condition {

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    Set<Role> roles =
        Binder.get(context.getEnvironment())
            .bind("peerlens.roles", Bindable.setOf(Role.class))
            .orElse(EnumSet.allOf(Role.class));
    Object wanted =
        Objects.requireNonNull(metadata.getAnnotationAttributes(ConditionalOnRole.class.getName()))
            .get("value");
    return roles.contains(wanted);
  }
}
