import { installTools } from './python-tools';
import useTemporaryFolder from '../test/support/temporary-folder';

export default function setUp(): void {
  useTemporaryFolder();
  installTools();
}
