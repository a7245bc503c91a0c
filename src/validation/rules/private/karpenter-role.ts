import { Controller } from '../../controller';
import { Role } from '../../template';
import { RuleContext } from '../rule';
import { identityOf } from './service-account';

/** The controllers whose roles are in the templates, with these roles. */
export function controllerRoles(context: RuleContext): Array<{ readonly controller: Controller; readonly role: Role }> {
  return context.controllers.flatMap((controller) => {
    const role = identityOf(context, controller)?.role;
    return role ? [{ controller, role }] : [];
  });
}
