package io.peerlens.role;

import io.peerlens.node.Role;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Condition on a role: the class takes part only where {@code peerlens.roles} names it. Sits on one
 * class for each role.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnRole.class)
@interface ConditionalOnRole {
  Role value();
}
