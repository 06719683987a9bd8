package io.peerlens.support;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Static fields of test classes, emptied when the class is through: they live as long as the JVM,
 * and with them the servers, beans and alerts of every class before. Finals stay, since what they
 * hold is shared.
 */
public final class StaticFields implements TestExecutionListener {

  @Override
  public void executionFinished(TestIdentifier id, TestExecutionResult result) {
    if (id.getSource().orElse(null) instanceof ClassSource source) {
      empty(source.getJavaClass());
    }
  }

  /** Sets the fields of a class that are static and not final to null; primitives stay. */
  static void empty(Class<?> test) {
    for (Field field : test.getDeclaredFields()) {
      int modifiers = field.getModifiers();
      if (!Modifier.isStatic(modifiers)
          || Modifier.isFinal(modifiers)
          || field.getType().isPrimitive()) {
        continue;
      }
      try {
        field.setAccessible(true);
        field.set(null, null);
      } catch (IllegalAccessException | InaccessibleObjectException e) {
        throw new IllegalStateException(field + " cannot be emptied", e);
      }
    }
  }
}
